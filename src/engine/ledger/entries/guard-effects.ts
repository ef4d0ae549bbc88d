import { choice, entryOf, id, maybeText, maybeTime } from "./fields.ts";

/** The outcome of a guard rule's advice, question or denial, as later calls or the user show it. */
export const guardOutcomeEntry = entryOf("guard-outcome", {
  /** Id of the hit. */
  id,
  source: choice(["calls", "user"]),
  sessionId: id,
  rule: id,
  family: id,
  /** How the agent was answered. */
  done: choice(["advised", "asked", "denied"]),
  outcome: choice(["followed", "ignored", "overridden", "progress", "false", "unknown"]),
  /** A clause shown to people. */
  why: maybeText(200),
  at: maybeTime,
});

/** The user unmuted a rule: earlier outcomes no longer count against it. */
export const guardWakeEntry = entryOf("guard-wake", { id, rule: id, at: maybeTime });
