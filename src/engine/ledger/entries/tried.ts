import * as z from "zod";
import { count, entryOf, flag, id, maybeChoice, maybeCount, maybeName, maybeTime, time } from "./fields.ts";

/** Entries for rules on trial in real work. */

/** A list of rule ids, as JSON text. */
const ruleIds = z.string().max(10_000);

export const trialEntry = entryOf("trial", {
  id,
  /** The agent whose rules are tried: `main`, or the name of an agent that sessions are started as. */
  agent: id,
  /** Folder whose sessions take part; null for all. */
  project: maybeName,
  ruleIds,
  /** Sessions after which most of the error may be spent. */
  planned: count,
  startedAt: time,
  /** The first stop counts. */
  stoppedAt: maybeTime,
  /** Approver of the trial. */
  approvedBy: id,
});

/** Rules that a session was given by lot, with what was known before. Later entries of the same draw only add what came later. */
export const drawEntry = entryOf("draw", {
  trialId: id,
  sessionId: id,
  /** The session before this one's context was cleared: both are one session of the trial, with that one's draw. */
  continues: maybeName,
  at: maybeTime,
  given: ruleIds.nullable().default(null),
  withheld: ruleIds.nullable().default(null),
  program: maybeName,
  project: maybeName,
  branchKind: maybeChoice(["trunk", "feature", "none"]),
  /** Local hour. */
  hour: maybeCount,
  /** Length of the first prompt, which comes after the draw. */
  promptChars: maybeCount,
  /** When the answer was handed to the agent, also where nothing was given. */
  deliveredAt: maybeTime,
});

/** A prompt of a session that has drawn, as its hook told of it. What it says is not kept. */
export const trialPromptEntry = entryOf("trial-prompt", {
  sessionId: id,
  /** The agent's own id of it, so that a hook that comes twice counts once; else one made from its time. */
  id,
  at: time,
  /** Whether it asks the agent to correct what it did, by how it begins. */
  corrects: flag,
});
