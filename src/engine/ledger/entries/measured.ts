import * as z from "zod/mini";
import { entryOf, id, maxSentenceLength, name } from "./fields.ts";

/** Entries for rules' histories and for the evidence behind verdicts. None of them ever changes. */

const at = z.int();

/** One step of a rule's life. */
export const ruleStepEntry = entryOf("rule-step", {
  id,
  ruleId: id,
  /** Milliseconds since the epoch. */
  at,
  /** `user`, `purser`, or the name of another actor. */
  who: id,
  /** Null when the rule was created, or when its status stayed: then `toStatus` names the event. */
  fromStatus: z._default(z.nullable(name), null),
  toStatus: id,
  /** A sentence, see `storedSentence`. */
  why: z.string().check(z.maxLength(maxSentenceLength)),
});

export const receiptEntry = entryOf("receipt", {
  id,
  /** The kind of subject (`rule`, `comparison`, …) and its id. */
  subject: id,
  subjectId: id,
  at,
  verdict: id,
  json: z.string().check(z.maxLength(2_000_000)),
});

/** The text of a MEMORY.md as written. */
export const memoryEntry = entryOf("memory", {
  agent: id,
  version: id,
  at,
  text: z.string().check(z.maxLength(30_000)),
  /** Comma-separated, in the text's order. */
  ruleIds: z.string().check(z.maxLength(100_000)),
  /** Its author: `purser`, `version …` for a restored one, or `the user`. */
  madeBy: id,
});
