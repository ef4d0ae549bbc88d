import { keyOf, plain, type Sum } from "./fact.ts";
import type { Conclusion, TaskName, LearnTask } from "./task.ts";
import type { LearnedBook } from "../../ledger/learned.ts";
import type { LedgerEntry } from "../../ledger/entries.ts";
import { phases } from "../../guard/work.ts";

type LearnedEntry = Extract<Conclusion, { kind: "learned" }>;

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

export function worthy(sums: readonly Sum[], max: number): Sum[] {
  return sums
    .filter((sum) => scoreOf(sum) >= minScore)
    .toSorted(
      (a, b) => scoreOf(b) - scoreOf(a) || b.count - a.count || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0),
    )
    .slice(0, max);
}

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

function textOf(entry: Conclusion): string {
  const members = Object.entries(entry).filter(([name]) => name !== "score" || entry.kind === "working-set");
  return JSON.stringify(members.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Which advice, packets and handovers preceded progress, by rule and by phase of the work. If the advice
 * budget does not suffice for all, the most helpful of a phase is sent first.
 */
export const learnEffectiveness: LearnTask = {
  name: "LearnEffectiveness",
  tend: async (store) => {
    const found = await store.ask("phaseOutcomes", null);
    const { effectiveness } = await store.ask("learnedBook", "");
    const now = found.map((each) => ({ id: effectId(each), ...each }));
    const before = new Map(effectiveness.map((each) => [each.id, each]));
    const changed = now.filter(({ id, helped, failed }) => {
      const known = before.get(id);
      return known?.helped !== helped || known.failed !== failed;
    });
    const wanted = new Set(now.map(({ id }) => id));
    const gone = effectiveness.filter(({ id }) => !wanted.has(id)).map(({ id }) => id);
    const entries = [
      ...withoutIds("effectiveness", gone),
      ...changed.map((each) => ({ kind: "effectiveness" as const, ...each })),
    ];
    if (entries.length > 0) await store.append(entries);
  },
};

function effectId({ subject, phase }: { readonly subject: string; readonly phase: string }): string {
  return `${subject}@${phase}`;
}

export function effectsForgotten(subject: string): LedgerEntry[] {
  return withoutIds(
    "effectiveness",
    ["", ...phases].map((phase) => effectId({ subject, phase })),
  );
}
