import { choice, count, entryOf, id, maybeCount, maybeName, maybeText, maybeTime } from "./fields.ts";

/**
 * Entries for facts learned from past sessions. All except the user's decisions can be learned again from the
 * transcripts.
 */

/** Progress of a task in a file of the past, or in a project. */
export const learnCursorEntry = entryOf("learn-cursor", {
  /** A file's path, or a task and a project. */
  id,
  /** Unchanged while there is nothing new. */
  stamp: id,
  /** For a file: the tasks that have read its present content, separated by commas. */
  tasks: maybeText(400),
});

/** Facts that one task found in one session. */
export const sessionFactsEntry = entryOf("session-facts", {
  /** Derived from the file, the session and the task. */
  id,
  sessionId: id,
  task: id,
  program: id,
  /** The project's folder. */
  project: id,
  at: maybeTime,
  /** Number of prompts. */
  turns: count,
  /** The same for a session and its copies. */
  origin: maybeName,
  stamp: id,
  /** JSON text, read by `continuity/learn/fact.ts`. */
  facts: maybeText(40_000),
});

/** A fact learned about a project. */
export const learnedEntry = entryOf("learned", {
  id,
  task: id,
  project: id,
  /** A sentence. */
  text: id,
  /** Its topic, for comparisons: a signature, or a sequence of actions. */
  subject: maybeText(400),
  /** The remedy, such as the command that fixes an error. */
  remedy: maybeText(400),
  /** The number of sessions in which it was seen, of all sightings, and of good outcomes. */
  sessions: count,
  times: count,
  good: count,
  /** The newest sessions and their turns, as JSON text. */
  evidence: maybeText(2000),
  /** When it was last seen. */
  at: maybeTime,
  /** 0 to 100. */
  score: maybeCount,
});

export const workingSetEntry = entryOf("working-set", {
  /** Derived from the project and the path. */
  id,
  project: id,
  /** Below the project's folder. */
  path: id,
  score: count,
  reads: count,
  edits: count,
  sessions: count,
  at: maybeTime,
});

export const effectivenessEntry = entryOf("effectiveness", {
  /** Derived from the subject and the phase. */
  id,
  /** A guard's rule, or a text that continuity sent: a packet, its offer, lost facts, or a handover. */
  subject: id,
  /** Phase of the session's work when it was sent; empty where unknown. */
  phase: maybeName,
  helped: count,
  failed: count,
});

/** The user's decision on a learned fact. It remains when the fact is learned again. */
export const learnedMarkEntry = entryOf("learned-mark", {
  /** Id of the learned fact. */
  id,
  state: choice(["shown", "kept", "edited", "forgotten"]),
  /** In the user's words. */
  text: maybeText(400),
  at: maybeTime,
});

/** A learned fact was sent to a session. */
export const learnedUseEntry = entryOf("learned-use", { id, sessionId: id, rule: maybeName, at: maybeTime });

/** Tables with rows that can be removed again. `guard_wakes`: a rule is again as it was. */
const learnedTables = [
  "learn_cursors",
  "events",
  "learned",
  "learned_uses",
  "working_set",
  "dead_ends",
  "effectiveness",
  "guard_wakes",
] as const;

/** Removes facts that no longer apply. */
export const unlearnEntry = entryOf("unlearn", {
  table: choice(learnedTables),
  /** As JSON text. */
  ids: maybeText(60_000),
});

export const deadEndEntry = entryOf("dead-end", {
  /** Derived from the project and the attempt. */
  id,
  project: id,
  text: id,
  how: choice(["failed", "reverted"]),
  sessions: count,
  times: count,
  evidence: maybeText(2000),
  at: maybeTime,
  score: maybeCount,
});
