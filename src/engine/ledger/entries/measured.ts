import * as z from "zod";
import { entryOf, id, name } from "./fields.ts";

/** Entries of what happened to rules and what verdicts rested on. None of them ever changes. */

const at = z.int();

/** One step of a rule's life. */
export const ruleStepEntry = entryOf("rule-step", {
  id,
  ruleId: id,
  /** Milliseconds since the epoch. */
  at,
  /** `user`, `purser`, or whatever else took it. */
  who: id,
  /** Null where the rule came into being, or where its status stayed: then `toStatus` is what happened. */
  fromStatus: name.nullable().default(null),
  toStatus: id,
  why: z.string().max(2000),
});

export const receiptEntry = entryOf("receipt", {
  id,
  /** `rule`, `comparison`, … and which. */
  subject: id,
  subjectId: id,
  at,
  verdict: id,
  json: z.string().max(2_000_000),
});

/** A MEMORY.md as it was written. */
export const memoryEntry = entryOf("memory", {
  agent: id,
  version: id,
  at,
  text: z.string().max(30_000),
  /** By commas, in the text's order. */
  ruleIds: z.string().max(100_000),
  /** Who had it written. */
  madeBy: id,
});
