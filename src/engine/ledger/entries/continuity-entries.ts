import { choice, count, entryOf, id, maybeName, maybeText, maybeTime, maybeCount } from "./fields.ts";
import * as z from "zod/mini";

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

/** The state of a session's work in a turn. A later one of the same turn replaces it. */
export const sessionStateEntry = entryOf("session-state", {
  sessionId: id,
  /** Prompts so far. */
  turn: count,
  at: maybeTime,
  program: maybeName,
  /** The project's folder. */
  folder: maybeName,
  phase: id,
  /** 0 to 100. */
  trust: count,
  focus: count,
  /**
   * Sums over the session: ended calls, failed calls, and edits in another part of the project than the edit before.
   */
  calls: count,
  errors: count,
  switches: count,
  deadEnds: count,
  /** Number of files. */
  edited: count,
  verified: count,
  /** JSON text, read by `stateDetails`. */
  details: maybeText(20_000),
});

export const stateDetails = z.object({
  /** Share of the context left. Percent. */
  left: z.nullable(z.number()),
  /** The repeated pattern. */
  loop: z.nullable(z.string()),
  /** Edited files without a passed check since, newest first; the first few. */
  unverified: z.array(z.string()),
  /** Thresholds adapted to the phase: repetitions, edits and reads before the agent receives advice. */
  repeatsBeforeTelling: z.int(),
  editsBeforeTelling: z.int(),
  readsBeforeTelling: z.int(),
  /** Maximum texts sent to the session per turn. */
  pieces: z.int(),
  characters: z.int(),
});
export type StateDetails = z.infer<typeof stateDetails>;

/** Kinds of facts that a summary may lose, in the order in which they are sent. */
export const lostKinds = ["decision", "open", "file", "dead_end", "error", "convention"] as const;

/** Facts that one compaction kept and lost. */
export const compactionDiffEntry = entryOf("compaction-diff", {
  id,
  sessionId: id,
  program: maybeName,
  /** In the agent's own terms. */
  trigger: maybeName,
  at: maybeTime,
  /** JSON text, read by `diffItems`. */
  items: maybeText(200_000),
});

/** A lost fact that a person wants to restore: when it was chosen, and when the agent received it. */
export const putBackEntry = entryOf("put-back", {
  /** Derived from the compaction and the fact, so that choosing it twice counts once. */
  id,
  sessionId: id,
  diffId: id,
  itemId: id,
  chosenAt: maybeTime,
  givenAt: maybeTime,
});

/** A text from a session: data, without secrets. */
export const lostItem = z.object({
  /** The same id for the same fact in another compaction. */
  id: z.string().check(z.regex(/^[0-9a-f]{12}$/u)),
  kind: z.enum(lostKinds),
  text: z.string().check(z.minLength(1), z.maxLength(800)),
  /** The number of the prompt after which it was last seen: 1 for the first. */
  turn: z.int().check(z.nonnegative()),
});

export const diffItems = z
  .array(
    z.object({
      ...lostItem.shape,
      /**
       * Whether the summary has it; `told` for a lost fact that purser sent to the agent right after the compaction.
       */
      fate: z.enum(["kept", "lost", "told"]),
    }),
  )
  .check(z.maxLength(200));
export type DiffItem = z.infer<typeof diffItems>[number];
