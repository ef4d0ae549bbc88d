import { choice, entryOf, id, maybeCount, maybeName, maybeTime } from "./fields.ts";

export const handoverStates = ["made", "taken", "out_of_date", "ignored"] as const;

/**
 * A document that hands a session's work over, and its later use. Later entries of the same document only add later
 * facts.
 */
export const handoverEntry = entryOf("handover", {
  id,
  /** The session that handed its work over, and its agent. */
  sessionId: id,
  program: maybeName,
  at: maybeTime,
  /** Location of the work: the folder, its branch and the last commit. */
  folder: maybeName,
  branch: maybeName,
  headCommit: maybeName,
  /** Identifies the uncommitted changes. */
  changes: maybeName,
  /** Hash of the document's path. */
  fileHash: maybeName,
  /** Tokens that the session's next call would send, and tokens of the document. */
  carriedTokens: maybeCount,
  documentTokens: maybeCount,
  state: choice(handoverStates),
  /** The agent that was started with it. */
  toProgram: maybeName,
  startedAt: maybeTime,
  /** The session that had the document as its first prompt. */
  toSession: maybeName,
  takenAt: maybeTime,
});
