import type { LearnedBook } from "../../ledger/learned.ts";
import type { LedgerEntry } from "../../ledger/entries.ts";
import type { Conclusion, TaskName } from "./task.ts";

type Unlearn = Extract<LedgerEntry, { kind: "unlearn" }>;

/** Ids in one entry. */
const idsAtOnce = 500;

/** Returns what a task has concluded of a project before, as it would conclude it now. */
export function concluded(book: LearnedBook, task: TaskName): Conclusion[] {
  if (task === "UpdateWorkingSetRanking")
    return book.workingSet.map((row) => ({ kind: "working-set", ...row }));
  if (task === "BuildDeadEndMemory")
    return book.deadEnds.map(({ id, project, text, how, sessions, times, evidence, at, score }) => ({
      kind: "dead-end",
      id,
      project,
      text,
      how,
      sessions,
      times,
      evidence,
      at,
      score,
    }));
  return book.learned
    .filter((row) => row.task === task)
    .map(({ id, project, text, subject, remedy, sessions, times, good, evidence, at, score }) => ({
      kind: "learned",
      id,
      task,
      project,
      text,
      subject,
      remedy,
      sessions,
      times,
      good,
      evidence,
      at,
      score,
    }));
}

/**
 * Returns the entries that turn the stored conclusions into the new ones: only the differences, without
 * scores.
 */
export function changesTo(before: readonly Conclusion[], after: readonly Conclusion[]): LedgerEntry[] {
  const stored = new Map(before.map((each) => [each.id, each]));
  const wanted = new Set(after.map(({ id }) => id));
  const gone = before.filter(({ id }) => !wanted.has(id));
  const [table] = before.map(tableOf);
  const taken =
    table === undefined
      ? []
      : withoutIds(
          table,
          gone.map(({ id }) => id),
        );
  const changed = after.filter((each) => {
    const known = stored.get(each.id);
    return known === undefined || textOf(known) !== textOf(each);
  });
  return [...taken, ...changed];
}

/** Removes rows, together with the records of their use. */
export function withoutIds(table: Unlearn["table"], ids: readonly string[]): Unlearn[] {
  const entries: Unlearn[] = [];
  for (let from = 0; from < ids.length; from += idsAtOnce) {
    const some = JSON.stringify(ids.slice(from, from + idsAtOnce));
    entries.push({ kind: "unlearn", table, ids: some });
    if (table === "learned" || table === "dead_ends")
      entries.push({ kind: "unlearn", table: "learned_uses", ids: some });
  }
  return entries;
}

function tableOf({ kind }: Conclusion): Unlearn["table"] {
  if (kind === "working-set") return "working_set";
  return kind === "dead-end" ? "dead_ends" : "learned";
}

/** Members in one order, and without a score that another task gives. */
function textOf(entry: Conclusion): string {
  const members = Object.entries(entry).filter(([name]) => name !== "score" || entry.kind === "working-set");
  return JSON.stringify(members.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
