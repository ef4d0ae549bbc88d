import * as z from "zod";

/** What was learned from past sessions, for clients. */

const time = z.number().nullable();
const count = z.int().nonnegative();

/** What the user says of something that was learned. */
const mark = z.object({
  state: z.enum(["shown", "kept", "edited", "forgotten"]),
  /** In the user's words. */
  text: z.string().nullable(),
  at: time,
});

/** What holds for everything that is reviewed. */
const reviewed = {
  id: z.string(),
  /** The project's folder. */
  project: z.string(),
  /** A sentence. */
  text: z.string(),
  /** In which it was seen, and how often in all. */
  sessions: count,
  times: count,
  /** The newest sessions and their turns, as JSON text. */
  evidence: z.string().nullable(),
  /** When it was seen last. Milliseconds since the epoch. */
  at: time,
  /** 0 to 100; null before it is known. */
  score: count.nullable(),
  /** Null where the user said nothing. */
  mark: mark.nullable(),
  /** Sessions to which it was told, and what came of it. */
  uses: count,
  usedAt: time,
  helped: count,
  failed: count,
};

const learnedRow = z.object({
  ...reviewed,
  task: z.string(),
  subject: z.string().nullable(),
  remedy: z.string().nullable(),
  good: count,
});
export type LearnedRow = z.infer<typeof learnedRow>;

const learnedDeadEnd = z.object({ ...reviewed, how: z.enum(["failed", "reverted"]) });
export type LearnedDeadEnd = z.infer<typeof learnedDeadEnd>;

const workingSetRow = z.object({
  id: z.string(),
  project: z.string(),
  path: z.string(),
  score: count,
  reads: count,
  edits: count,
  sessions: count,
  at: time,
});
export type WorkingSetRow = z.infer<typeof workingSetRow>;

const effectivenessRow = z.object({
  id: z.string(),
  /** A guard's rule. */
  subject: z.string(),
  /** Of the session's work when it was told; empty where unknown. */
  phase: z.string(),
  helped: count,
  failed: count,
});
export type EffectivenessRow = z.infer<typeof effectivenessRow>;

const learnedBook = z.object({
  learned: z.array(learnedRow),
  deadEnds: z.array(learnedDeadEnd),
  workingSet: z.array(workingSetRow),
  effectiveness: z.array(effectivenessRow),
});
export type LearnedBook = z.infer<typeof learnedBook>;
