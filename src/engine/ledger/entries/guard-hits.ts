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
});
