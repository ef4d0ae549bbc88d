import type { LedgerEntry } from "../../ledger/entries/entries-entry.ts";
import { concluded, withoutIds } from "./conclusion-changes.ts";
import { factsIn, factsText, inOrder, window } from "./fact.ts";
import type { Pace } from "./pace.ts";
import { taskNames, type Conclusion, type LearnStore, type LearnTask } from "./task.ts";

/** Projects from which is learned: those with the newest sessions. */
export const mostProjects = 200;
/** Entries in one append. */
const atOnce = 100;

/**
 * Keeps the ledger bounded. Of a project's older sessions only the strongest facts are kept, of the oldest none, and of projects that are
 * long over nothing that was learned. Nothing that is concluded changes by it, since older facts count no more than that before.
 */
export const consolidateEvents: LearnTask = {
  name: "ConsolidateEvents",
  tend: async (store, pace) => {
    const newest = new Map<string, number>();
    for (const { project, at } of await store.ask("factsStamps", null))
      newest.set(project, Math.max(newest.get(project) ?? 0, at ?? 0));
    const projects = [...newest]
      .toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
      .map(([project]) => project);
    for (const [place, project] of projects.entries())
      await (place < mostProjects ? consolidate(store, pace, project) : forget(store, project));
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

/** Names how far a task has come with a project. */
export function projectCursor(task: string, project: string): string {
  return `${task}@${project}`;
}

async function appendInParts(store: LearnStore, entries: readonly LedgerEntry[]): Promise<void> {
  for (let from = 0; from < entries.length; from += atOnce)
    await store.append(entries.slice(from, from + atOnce));
}
