import { choice, entryOf, id, maybeCount, maybeName, maybeText, maybeTime } from "./fields.ts";

/** A guard rule that fired on an agent's tool call, and the action taken. */
export const guardHitEntry = entryOf("guard-hit", {
  /** Derived from the call and the rule, so that a hook reported twice counts once. */
  id,
  sessionId: id,
  agentId: maybeName,
  at: maybeTime,
  program: maybeName,
  tool: maybeName,
  rule: id,
  family: id,
  /** The rule's action when its family is on. */
  action: choice(["advise", "ask", "deny"]),
  done: choice([
    "observed",
    "advised",
    "replaced",
    "repeated",
    "withheld",
    "silent",
    "asked",
    "denied",
    "unjudged",
  ]),
  /** The part of the call that matched, without apparent secrets. */
  excerpt: maybeText(400),
  folder: maybeName,
  /** Bytes saved by shortening the output, or bytes that could have been saved. */
  savedBytes: maybeCount,
  /** The program behind a shortened output with its subcommand, such as `npm test`, or the tool. */
  command: maybeText(100),
});

/**
 * A later call that a shortened output may have led to. The same call of the same output is recorded once. What it cost
 * follows from the responses around it.
 */
export const guardFollowUpEntry = entryOf("guard-follow-up", {
  /** Derived from the call and the hit. */
  id,
  /** Id of the hit that shortened the output. */
  hit: id,
  sessionId: id,
  agentId: maybeName,
  at: maybeTime,
  /** `fetched`: the original. `again`, `narrower`: the command. `error`: the same failure once more. */
  how: choice(["fetched", "again", "narrower", "error"]),
  /** The agent's id of the call. */
  callId: maybeName,
  /** Bytes of its output, before that is shortened. */
  bytes: maybeCount,
});

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
