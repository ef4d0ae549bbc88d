import { count, entryOf, id, maybeText, maybeTime } from "./fields.ts";

/** A session's scorecard beside the median of the user's sessions, as of the session's end. A later end replaces it. */
export const scorecardEntry = entryOf("scorecard", {
  sessionId: id,
  at: maybeTime,
  /** JSON text, read by `continuity/scorecard`. */
  card: maybeText(20_000),
});

/** A session received another session's resume packet from a hook at its start. */
export const givenPacketEntry = entryOf("given-packet", {
  /** The session that received it. */
  sessionId: id,
  fromSession: id,
  at: maybeTime,
  /** Tokens of the packet's text. Estimated. */
  tokens: count,
});
