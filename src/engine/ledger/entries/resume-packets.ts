import { choice, count, entryOf, id, maybeName, maybeText, maybeTime } from "./fields.ts";

/** What the next session on the same work needs of a session: the newest of each occasion takes the place of the one before. */
export const resumePacketEntry = entryOf("resume-packet", {
  sessionId: id,
  /** Why it was stored: every few prompts, before a compaction, or at the session's end. */
  occasion: choice(["turns", "compaction", "end"]),
  at: maybeTime,
  turn: count,
  program: maybeName,
  /** The project's. */
  folder: maybeName,
  branch: maybeName,
  /** The packet as JSON text, which `continuity/packet` reads. */
  packet: maybeText(200_000),
});
