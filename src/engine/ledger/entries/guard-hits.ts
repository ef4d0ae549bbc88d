import { choice, entryOf, id, maybeCount, maybeName, maybeText, maybeTime } from "./fields.ts";

/** A guard rule that fired on an agent's tool call, and what was done about it. */
export const guardHitEntry = entryOf("guard-hit", {
  /** Of the call and the rule, so that a hook reported twice counts once. */
  id,
  sessionId: id,
  agentId: maybeName,
  at: maybeTime,
  program: maybeName,
  tool: maybeName,
  rule: id,
  family: id,
  /** The rule's deed where its family is on. */
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
  /** The part of the call that it fired on, without what looks like a secret. */
  excerpt: maybeText(400),
  folder: maybeName,
  /** Bytes by which the output was, or would have been, made smaller. */
  savedBytes: maybeCount,
});
