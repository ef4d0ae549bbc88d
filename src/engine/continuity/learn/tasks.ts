import { clusterErrors, learnRepairPatterns } from "./repairs.ts";
import { learnConventions } from "./conventions.ts";
import { buildDeadEndMemory } from "./dead-ends.ts";
import { learnEffectiveness, concluded, withoutIds, minScore, scoreOf } from "./conclusion.ts";
import { learnSequences } from "./sequences.ts";
import {
  taskNames,
  type LearnTask,
  type TaskName,
  type Conclusion,
  type SessionFold,
  type LearnStore,
  type Pace,
} from "./task.ts";
import type { LearnedDeadEnd, LearnedRow } from "../../ledger/learned.ts";
import type { LedgerEntry } from "../../ledger/entries.ts";
import type { ResumePacket } from "../packet/packet.ts";
import { keyOf, plain, type Fact, factsIn, factsText, inOrder, window, compared } from "./fact.ts";

/** Learns only from the projects with the newest sessions. */
export const maxProjects = 200;
const atOnce = 100;

/**
 * Keeps the ledger bounded. A project's older sessions keep only their strongest facts, the oldest none.
 * Projects that ended long ago lose all lessons. No conclusion changes: older facts did not count beyond that
 * before either.
 */
const consolidateEvents: LearnTask = {
  name: "ConsolidateEvents",
  tend: async (store, pace) => {
    const newest = new Map<string, number>();
    for (const { project, at } of await store.ask("factsStamps", null))
      newest.set(project, Math.max(newest.get(project) ?? 0, at ?? 0));
    const projects = [...newest]
      .toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
      .map(([project]) => project);
    for (const [place, project] of projects.entries())
      await (place < maxProjects ? consolidate(store, pace, project) : forget(store, project));
  },
};

async function consolidate(store: LearnStore, pace: Pick<Pace, "rest">, project: string): Promise<void> {
  for (const task of taskNames) {
    await pace.rest();
    const rows = await store.ask("sessionFacts", { project, task });
    const ordered = inOrder(rows);
    const kept = new Set(ordered.slice(0, window.sessions).map(({ id }) => id));
    const shorter = ordered.slice(window.whole, window.sessions).flatMap((row, index): LedgerEntry[] => {
      const facts = factsText(factsIn(row, window.whole + index));
      return facts === row.facts ? [] : [{ kind: "session-facts", ...row, facts }];
    });
    // Copies of other sessions are among them.
    const gone = rows.filter(({ id }) => !kept.has(id)).map(({ id }) => id);
    await appendInParts(store, [...shorter, ...withoutIds("events", gone)]);
  }
}

async function forget(store: LearnStore, project: string): Promise<void> {
  const rows = await store.ask("sessionFacts", { project, task: null });
  const book = await store.ask("learnedBook", project);
  const learned = taskNames.flatMap((task) => concluded(book, task));
  const idsOf = (kind: Conclusion["kind"]) =>
    learned.filter((each) => each.kind === kind).map(({ id }) => id);
  await appendInParts(store, [
    ...withoutIds("learned", idsOf("learned")),
    ...withoutIds("dead_ends", idsOf("dead-end")),
    ...withoutIds("working_set", idsOf("working-set")),
    ...withoutIds(
      "learn_cursors",
      taskNames.map((task) => projectCursor(task, project)),
    ),
    ...withoutIds(
      "events",
      rows.map(({ id }) => id),
    ),
  ]);
}

export function projectCursor(task: string, project: string): string {
  return `${task}@${project}`;
}

async function appendInParts(store: LearnStore, entries: readonly LedgerEntry[]): Promise<void> {
  for (let from = 0; from < entries.length; from += atOnce)
    await store.append(entries.slice(from, from + atOnce));
}

const maxFiles = 60;
/** A session counts half as much after this many later ones. */
const halfLife = 8;
/** Maximum length of a path that is a key. Characters. */
const maxPathLength = 160;

/** The files that a session worked with, as its packet ranks them. */
class WorkedWith implements SessionFold {
  add(): void {
    // The packet's story has folded the same events.
  }

  facts({ files }: ResumePacket): Fact[] {
    return files
      .filter(({ path }) => path.length <= maxPathLength)
      .map(({ path, turn, reads, edits }) => ({
        key: plain(path, maxPathLength),
        text: "",
        detail: null,
        count: reads,
        good: edits,
        turns: [turn],
      }));
  }
}

const updateWorkingSetRanking: LearnTask = {
  name: "UpdateWorkingSetRanking",
  observe: () => new WorkedWith(),
  conclude: (sessions, project) => {
    const files = new Map<string, Ranked>();
    for (const [age, { at, facts }] of sessions.entries())
      for (const [place, { key, count, good }] of facts.entries()) {
        const known = files.get(key) ?? { weight: 0, reads: 0, edits: 0, sessions: 0, at };
        known.weight += 2 ** (-age / halfLife) / (1 + place);
        known.reads += count;
        known.edits += good;
        known.sessions += 1;
        files.set(key, known);
      }
    return [...files]
      .map(([path, { weight, ...counts }]) => ({ path, score: Math.round(1000 * weight), ...counts }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score || compared(a.path, b.path))
      .slice(0, maxFiles)
      .map((file) => ({ kind: "working-set", id: keyOf(project, file.path), project, ...file }));
  },
};

interface Ranked {
  weight: number;
  reads: number;
  edits: number;
  sessions: number;
  readonly at: number | null;
}

/**
 * Scores lessons by how often they were seen and useful, and by their age in sessions. Removes those with a
 * low score, unless the user keeps them.
 */
const scoreArtifacts: LearnTask = {
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
  if (score < minScore && !isWanted)
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

const tasks: Readonly<Record<TaskName, LearnTask>> = {
  LearnEffectiveness: learnEffectiveness,
  // The reader of sessions makes the packets: `past-sessions.ts`.
  BuildResumePacket: { name: "BuildResumePacket" },
  LearnSequences: learnSequences,
  ClusterErrors: clusterErrors,
  LearnRepairPatterns: learnRepairPatterns,
  LearnConventions: learnConventions,
  UpdateWorkingSetRanking: updateWorkingSetRanking,
  BuildDeadEndMemory: buildDeadEndMemory,
  ScoreArtifacts: scoreArtifacts,
  ConsolidateEvents: consolidateEvents,
};

export const allTasks: readonly LearnTask[] = taskNames.map((name) => tasks[name]);

export function readsFiles({ name, observe }: LearnTask): boolean {
  return observe !== undefined || name === "BuildResumePacket";
}
