import { choice, count, entryOf, id, maybeCount, maybeName, maybeText, maybeTime } from "./fields.ts";

/** Entries for what is learned from past sessions. All but what the user says of it can be learned again from the transcripts. */

/** How far a task has come with a file of the past, or with a project. */
export const learnCursorEntry = entryOf("learn-cursor", {
  /** A file's path, or a task and a project. */
  id,
  /** The same as long as there is nothing new. */
  stamp: id,
  /** Of a file: the tasks that have read it as it is, with commas. */
  tasks: maybeText(400),
});

/** What one task found in one session. */
export const sessionFactsEntry = entryOf("session-facts", {
  /** Of the file, the session and the task. */
  id,
  sessionId: id,
  task: id,
  program: id,
  /** The project's folder. */
  project: id,
  at: maybeTime,
  /** Prompts. */
  turns: count,
  /** The same for a session and its copies. */
  origin: maybeName,
  stamp: id,
  /** As JSON text, which `continuity/learn/fact.ts` reads. */
  facts: maybeText(40_000),
});

/** Something that was learned of a project. */
export const learnedEntry = entryOf("learned", {
  id,
  task: id,
  project: id,
  /** A sentence. */
  text: id,
  /** What it is about, for comparisons: a signature, a sequence of actions. */
  subject: maybeText(400),
  /** What to do about it, such as the command that mends an error. */
  remedy: maybeText(400),
  /** Sessions in which it was seen, how often in all, and how often it went well. */
  sessions: count,
  times: count,
  good: count,
  /** The newest sessions and their turns, as JSON text. */
  evidence: maybeText(2000),
  /** When it was seen last. */
  at: maybeTime,
  /** 0 to 100. */
  score: maybeCount,
});

export const workingSetEntry = entryOf("working-set", {
  /** Of the project and the path. */
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
  /** Of the subject and the phase. */
  id,
  /** A guard's rule, or what continuity told: a packet, its offer, lost facts, or a handover. */
  subject: id,
  /** Of the session's work when it was told; empty where unknown. */
  phase: maybeName,
  helped: count,
  failed: count,
});

/** What the user says of something that was learned: it outlives the learning. */
export const learnedMarkEntry = entryOf("learned-mark", {
  /** Of what was learned. */
  id,
  state: choice(["shown", "kept", "edited", "forgotten"]),
  /** In the user's words. */
  text: maybeText(400),
  at: maybeTime,
});

/** Something that was learned was told to a session. */
export const learnedUseEntry = entryOf("learned-use", { id, sessionId: id, rule: maybeName, at: maybeTime });

const learnedTables = [
  "learn_cursors",
  "events",
  "learned",
  "learned_uses",
  "working_set",
  "dead_ends",
  "effectiveness",
] as const;

/** Takes back what no longer holds. */
export const unlearnEntry = entryOf("unlearn", {
  table: choice(learnedTables),
  /** As JSON text. */
  ids: maybeText(60_000),
});

export const deadEndEntry = entryOf("dead-end", {
  /** Of the project and what was tried. */
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
