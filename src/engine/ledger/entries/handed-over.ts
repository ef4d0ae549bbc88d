import { choice, entryOf, id, maybeCount, maybeName, maybeTime } from "./fields.ts";

export const handoverStates = ["made", "taken", "out_of_date", "ignored"] as const;

/** A document that hands a session's work over, and what became of it. Later entries of the same one only add what came later. */
export const handoverEntry = entryOf("handover", {
  id,
  /** Of the session whose work it hands over, and its agent. */
  sessionId: id,
  program: maybeName,
  at: maybeTime,
  /** Where the work is: the folder, its branch and the last commit. */
  folder: maybeName,
  branch: maybeName,
  headCommit: maybeName,
  /** Stands for what was not committed. */
  changes: maybeName,
  /** Hash of the document's path. */
  fileHash: maybeName,
  /** What the session's next call would carry, and what the document takes. Tokens. */
  carriedTokens: maybeCount,
  documentTokens: maybeCount,
  state: choice(handoverStates),
  /** The agent that was begun with it. */
  toProgram: maybeName,
  startedAt: maybeTime,
  /** The session whose first prompt was the document. */
  toSession: maybeName,
  takenAt: maybeTime,
});
