import { keyOf, plain } from "./fact.ts";
import type { Sum } from "./counted-facts.ts";
import type { Conclusion, TaskName } from "./task.ts";

type LearnedEntry = Extract<Conclusion, { kind: "learned" }>;

/** Minimum score of a lesson that is stored. */
export const minScore = 5;

/**
 * Scores usefulness and age from 0 to 100: one in three points for a single session, half as much after 30
 * later sessions without it.
 */
export function scoreOf({
  sessions,
  age,
  helped = 0,
  failed = 0,
}: {
  /** Sessions in which it was seen or useful. */
  readonly sessions: number;
  /** Sessions of the project since. */
  readonly age: number;
  /** How often it helped after it was sent. */
  readonly helped?: number;
  readonly failed?: number;
}): number {
  const help = Math.min(1, (2 * (helped + 1)) / (helped + failed + 2));
  return Math.round(100 * (sessions / (sessions + 2)) * 2 ** (-age / 30) * help);
}

/** Keeps the sums that are worth it, the best first. */
export function worthy(sums: readonly Sum[], max: number): Sum[] {
  return sums
    .filter((sum) => scoreOf(sum) >= minScore)
    .toSorted(
      (a, b) => scoreOf(b) - scoreOf(a) || b.count - a.count || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0),
    )
    .slice(0, max);
}

/** Makes the ledger's entry of something that was learned. */
export function learnedFrom(
  task: TaskName,
  project: string,
  {
    sum,
    ...words
  }: { readonly sum: Sum; readonly text: string; readonly subject?: string; readonly remedy?: string },
): LearnedEntry {
  return {
    kind: "learned",
    id: keyOf(task, project, words.subject ?? sum.key),
    task,
    project,
    text: plain(words.text, 400),
    subject: words.subject ?? sum.key,
    remedy: words.remedy === undefined ? null : plain(words.remedy, 400),
    sessions: sum.sessions,
    times: sum.count,
    good: sum.good,
    evidence: JSON.stringify(sum.evidence),
    at: sum.at,
    score: null,
  };
}
