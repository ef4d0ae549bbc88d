import type { LearnedDeadEnd, LearnedRow } from "../../ledger/answers/learned.ts";
import type { LedgerEntry } from "../../ledger/entries/entries-entry.ts";
import { concluded, withoutIds } from "./conclusion-changes.ts";
import { leastScore, scoreOf } from "./conclusion.ts";
import { taskNames, type Conclusion, type LearnTask } from "./task.ts";

/**
 * Scores what was learned by how often it was seen and of use, and by its age in sessions; what is not worth being kept is taken back, unless
 * the user keeps it.
 */
export const scoreArtifacts: LearnTask = {
  name: "ScoreArtifacts",
  tend: async (store, pace) => {
    const projects = new Set((await store.ask("factsStamps", null)).map(({ project }) => project));
    for (const project of projects) {
      const book = await store.ask("learnedBook", project);
      const ends = await store.ask("learnedSessions", project);
      const rows = new Map<string, LearnedRow | LearnedDeadEnd>(
        [...book.learned, ...book.deadEnds].map((row) => [row.id, row]),
      );
      const entries = taskNames
        .flatMap((task) => concluded(book, task))
        .flatMap((entry): LedgerEntry[] => {
          const row = rows.get(entry.id);
          if (row === undefined || entry.kind === "working-set") return [];
          return rescored(entry, row, scoreNow(row, ends));
        });
      if (entries.length > 0) await store.append(entries);
      await pace.rest();
    }
  },
};

function rescored(
  entry: Exclude<Conclusion, { kind: "working-set" }>,
  { mark }: LearnedRow | LearnedDeadEnd,
  score: number,
): LedgerEntry[] {
  const isWanted = mark?.state === "kept" || mark?.state === "edited";
  if (score < leastScore && !isWanted)
    return withoutIds(entry.kind === "learned" ? "learned" : "dead_ends", [entry.id]);
  return entry.score === score ? [] : [{ ...entry, score }];
}

/** @param ends when the project's sessions ended, the newest first */
function scoreNow(row: LearnedRow | LearnedDeadEnd, ends: readonly number[]): number {
  const last = Math.max(row.at ?? 0, row.usedAt ?? 0);
  const found = ends.findIndex((end) => end <= last);
  const age = found < 0 ? ends.length : found;
  return scoreOf({ sessions: row.sessions + row.helped, age, helped: row.helped, failed: row.failed });
}
