import * as z from "zod/mini";
import { count, entryOf, flag, id, maybeChoice, maybeCount, maybeName, maybeTime, time } from "./fields.ts";

/** Entries for trials of rules in real work. */

/** A list of rule ids, as JSON text. */
const ruleIds = z.string().check(z.maxLength(10_000));

export const trialEntry = entryOf("trial", {
  id,
  /** The agent with the tried rules: `main`, or the name of an agent that sessions are started as. */
  agent: id,
  /** Only sessions in this folder take part; null for all. */
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

/**
 * Rules given to a session by lot, with the facts known before. Later entries of the same draw only add later facts.
 */
export const drawEntry = entryOf("draw", {
  trialId: id,
  sessionId: id,
  /**
   * The session before this one's context was cleared: both count as one session of the trial, with that one's draw.
   */
  continues: maybeName,
  at: maybeTime,
  given: z._default(z.nullable(ruleIds), null),
  withheld: z._default(z.nullable(ruleIds), null),
  program: maybeName,
  project: maybeName,
  branchKind: maybeChoice(["trunk", "feature", "none"]),
  /** Local hour. */
  hour: maybeCount,
  /** Length of the first prompt, which follows the draw. */
  promptChars: maybeCount,
  /** When the answer was sent to the agent, even without rules. */
  deliveredAt: maybeTime,
});

/** A prompt in a session with a draw, as its hook reported it. Its text is not stored. */
export const trialPromptEntry = entryOf("trial-prompt", {
  sessionId: id,
  /** The agent's own id for it, so that a repeated hook counts once; else derived from its time. */
  id,
  at: time,
  /** Whether it asks the agent to correct its work, judged by its first words. */
  corrects: flag,
});
