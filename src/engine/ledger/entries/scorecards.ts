import { count, entryOf, id, maybeText, maybeTime } from "./fields.ts";

/** A session's scorecard beside the median of the user's sessions, as it was when the session ended. A later end replaces it. */
export const scorecardEntry = entryOf("scorecard", {
  sessionId: id,
  at: maybeTime,
  /** As JSON text, which `continuity/scorecard` reads. */
  card: maybeText(20_000),
});

/** A session got the resume packet of another one from a hook at its start. */
export const givenPacketEntry = entryOf("given-packet", {
  /** Of the session that got it. */
  sessionId: id,
  fromSession: id,
  at: maybeTime,
  /** Of the packet's text. Estimated. */
  tokens: count,
});
