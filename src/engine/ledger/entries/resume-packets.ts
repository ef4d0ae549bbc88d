import { choice, count, entryOf, id, maybeName, maybeText, maybeTime } from "./fields.ts";

/**
 * Facts about a session for the next session on the same work. The newest packet of each occasion replaces the one
 * before.
 */
export const resumePacketEntry = entryOf("resume-packet", {
  sessionId: id,
  /** Why it was stored: every few prompts, before a compaction, or at the session's end. */
  occasion: choice(["turns", "compaction", "end"]),
  at: maybeTime,
  turn: count,
  program: maybeName,
  /** The project's folder. */
  folder: maybeName,
  branch: maybeName,
  /** The packet as JSON text, read by `continuity/packet`. */
  packet: maybeText(200_000),
});
