import { choice, entryOf, id, maybeText, maybeTime } from "./fields.ts";

/** What came of a guard rule's advice, question or denial, as later calls or the user show. */
export const guardOutcomeEntry = entryOf("guard-outcome", {
  /** Of the hit. */
  id,
  source: choice(["calls", "user"]),
  sessionId: id,
  rule: id,
  family: id,
  /** What was told. */
  done: choice(["advised", "asked", "denied"]),
  outcome: choice(["followed", "ignored", "overridden", "progress", "false", "unknown"]),
  /** A clause for people. */
  why: maybeText(200),
  at: maybeTime,
});

/** The user called a rule back that had fallen silent: earlier outcomes no longer count against it. */
export const guardWakeEntry = entryOf("guard-wake", { id, rule: id, at: maybeTime });
