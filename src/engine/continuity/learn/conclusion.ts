import { keyOf, plain } from "./fact.ts";
import type { Sum } from "./counted-facts.ts";
import type { Conclusion, TaskName } from "./task.ts";

type LearnedEntry = Extract<Conclusion, { kind: "learned" }>;

/** Less than this is not worth being kept. */
export const leastScore = 5;

/** How usefulness and age make a score from 0 to 100: one of three points for a single session, half as much after 30 later sessions without. */
export function scoreOf({
  sessions,
  age,
  helped = 0,
  failed = 0,
}: {
  /** In which it was seen or of use. */
  readonly sessions: number;
  /** Sessions of the project since. */
  readonly age: number;
  /** What came of it where it was told. */
  readonly helped?: number;
  readonly failed?: number;
}): number {
  const help = Math.min(1, (2 * (helped + 1)) / (helped + failed + 2));
  return Math.round(100 * (sessions / (sessions + 2)) * 2 ** (-age / 30) * help);
}

/** Keeps the sums that are worth it, the best first. */
export function worthy(sums: readonly Sum[], most: number): Sum[] {
  return sums
    .filter((sum) => scoreOf(sum) >= leastScore)
    .toSorted(
      (a, b) => scoreOf(b) - scoreOf(a) || b.count - a.count || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0),
    )
    .slice(0, most);
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
