import { fail, succeed, type Result } from "../../base/result.ts";
import type { LedgerEntry } from "../../ledger/entries.ts";
import { changesTo, concluded, withoutIds } from "./conclusion.ts";
import { maxProjects, projectCursor, allTasks, readsFiles } from "./tasks.ts";
import { readFacts, compared } from "./fact.ts";
import { readSessions, type LearnFile, type ReadingPorts, type SessionRead } from "./past-sessions.ts";
import type { LearnStore, LearnTask, TaskName } from "./task.ts";
import { sentence, type Sentence } from "../../base/language.ts";

export interface LearnPorts extends ReadingPorts {
  readonly store: LearnStore;
  /** Every file of the past that may be read. */
  readonly files: () => Promise<readonly LearnFile[]>;
  /** Makes the entry of a session's packet; null where one is stored that is as new. */
  readonly packetEntry: (read: Pick<SessionRead, "packet" | "isRewound">) => Promise<LedgerEntry | null>;
  readonly onProgress: (task: TaskName, done: number, of: number) => void;
  readonly onProblem: (message: Sentence) => void;
}

export interface LearnReport {
  readonly files: number;
  readonly conclusions: number;
}

/** Maximum files, the newest first. More would take longer than they are worth. */
const maxFiles = 5000;

/**
 * Does all tasks, or one of them, in their order. Each step reads what is stored, and appends its results
 * before the position it reached. So a stopped run continues from there, and ends in the same tables.
 */
export async function learn(
  ports: LearnPorts,
  only: TaskName | null = null,
): Promise<Result<LearnReport, "cancelled">> {
  const { signal } = ports;
  const tasks = allTasks.filter(({ name }) => only === null || name === only);
  let [files, conclusions] = [0, 0];
  let hasRead = false;
  for (const task of tasks) {
    ports.onProgress(task.name, 0, 0);
    if (readsFiles(task) && !hasRead) {
      files = await readFiles(tasks.filter(readsFiles), task.name, ports);
      hasRead = true;
    }
    if (task.conclude !== undefined) conclusions += await concludeAll(task, ports);
    if (signal.aborted) return fail("cancelled", sentence("stopped; it goes on from here the next time"));
    await task.tend?.(ports.store, ports.pace);
  }
  return succeed({ files, conclusions });
}

/** Reads the files that are new to a task, the oldest first. Returns how many. */
async function readFiles(tasks: readonly LearnTask[], current: TaskName, ports: LearnPorts): Promise<number> {
  const { store, signal, onProgress, onProblem, pace } = ports;
  const found = await ports.files();
  const cursors = new Map((await store.ask("learnCursors", null)).map((cursor) => [cursor.id, cursor]));
  await forgetGone(found, [...cursors.keys()], store);
  const due = found
    .toSorted((a, b) => b.mtimeMs - a.mtimeMs || compared(a.path, b.path))
    .slice(0, maxFiles)
    .toReversed()
    .flatMap((file) => {
      const stamp = `${file.size}:${Math.round(file.mtimeMs)}`;
      const cursor = cursors.get(file.path);
      const done = cursor?.stamp === stamp ? (cursor.tasks ?? "").split(",") : [];
      const missing = tasks.filter(({ name }) => !done.includes(name));
      return missing.length === 0 ? [] : [{ file, stamp, done, missing }];
    });
  let count = 0;
  for (const { file, stamp, done, missing } of due) {
    onProgress(current, count, due.length);
    const read = await readSessions(file, { tasks: missing, stamp }, ports);
    if (signal.aborted) return count;
    if (!read.ok && read.reason === "unreadable") onProblem(read.detail);
    const sessions = read.ok ? read.value : [];
    const entries: LedgerEntry[] = sessions.flatMap((each) => each.entries);
    if (missing.some(({ name }) => name === "BuildResumePacket"))
      for (const session of sessions) {
        const entry = await ports.packetEntry(session);
        if (entry !== null) entries.push(entry);
      }
    const names = [...done, ...missing.map(({ name }) => name)].filter((name) => name !== "");
    // Last, so that after a crash earlier results are only repeated.
    entries.push({
      kind: "learn-cursor",
      id: file.path,
      stamp,
      tasks: [...new Set(names)].toSorted().join(","),
    });
    await store.append(entries);
    count += 1;
    await pace.rest();
  }
  return count;
}

/** A deleted file needs no position. If it comes back, it is read again. */
async function forgetGone(
  found: readonly LearnFile[],
  known: readonly string[],
  store: LearnStore,
): Promise<void> {
  const paths = new Set(found.map(({ path }) => path));
  const gone = known.filter((id) => !paths.has(id) && !/^\w+@/u.test(id));
  const entries = withoutIds("learn_cursors", gone);
  if (entries.length > 0) await store.append(entries);
}

/** Concludes for each project in which something changed since. Returns for how many. */
async function concludeAll(
  task: LearnTask,
  { store, signal, onProgress, pace }: LearnPorts,
): Promise<number> {
  const { name, conclude } = task;
  if (conclude === undefined) return 0;
  const cursors = new Map((await store.ask("learnCursors", null)).map(({ id, stamp }) => [id, stamp]));
  const stamps = (await store.ask("factsStamps", null))
    .filter((each) => each.task === name)
    .toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0) || compared(a.project, b.project))
    .slice(0, maxProjects);
  const due = stamps.filter(({ project, stamp }) => cursors.get(projectCursor(name, project)) !== stamp);
  let count = 0;
  for (const { project, stamp } of due) {
    if (signal.aborted) return count;
    onProgress(name, count, due.length);
    const rows = await store.ask("sessionFacts", { project, task: name });
    const book = await store.ask("learnedBook", project);
    const changes = changesTo(concluded(book, name), conclude(readFacts(rows), project));
    await store.append([...changes, { kind: "learn-cursor", id: projectCursor(name, project), stamp }]);
    count += 1;
    await pace.rest();
  }
  return count;
}
