import path from "node:path";
import * as z from "zod/mini";
import { appendFile, mkdir, readFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { errorCode, rethrowUnlessSystemError } from "../../base/result.ts";
import { writeAtomically, readSmallText, nodeFiles } from "../../base/files.ts";
import { readJson } from "../../base/parse.ts";
import { taskId, taskStates, priorities, type Task, type TaskComment } from "./task.ts";
import { sha256Hex } from "../../base/hash.ts";

/** What an agent has seen of a task. Comments are identified by id: one that git merges later, with an earlier time, is still new. */
const taskCursor = z.object({
  /** Null before the first display, and after replacing the session that saw it. */
  seen: z.nullable(
    z.object({
      state: z.enum(taskStates),
      priority: z.enum(priorities),
      assignee: z.nullable(z.string()),
      title: z.string(),
      description: z.string(),
      at: z.int(),
    }),
  ),
  /** Shown in whole or summed up. */
  comments: z.array(z.string()).check(z.maxLength(5000)),
});
export type TaskCursor = z.output<typeof taskCursor>;

export const unseen: TaskCursor = { seen: null, comments: [] };

const maxIds = 5000;

function descriptionHash({ description }: Pick<Task, "description">): string {
  return sha256Hex(description, 16);
}

/** `at`: milliseconds since the epoch. */
export function withSeenTask(cursor: TaskCursor, task: Task, at: number): TaskCursor {
  const { state, priority, assignee, title } = task;
  return { ...cursor, seen: { state, priority, assignee, title, description: descriptionHash(task), at } };
}

export function withSeenComments(
  cursor: TaskCursor,
  comments: readonly Pick<TaskComment, "id">[],
): TaskCursor {
  const ids = new Set([...cursor.comments, ...comments.map(({ id }) => id)]);
  return { ...cursor, comments: [...ids].slice(-maxIds) };
}

export function newComments(cursor: TaskCursor, comments: readonly TaskComment[]): TaskComment[] {
  const seen = new Set(cursor.comments);
  return comments.filter(({ id }) => !seen.has(id));
}

/** As clauses. Empty if there are none, or if it was never shown. */
export function changesOf(task: Task, { seen }: TaskCursor): string[] {
  if (seen === null) return [];
  const changed = (what: string, before: string | null, now: string | null) =>
    before === now ? [] : [`${what}: ${before ?? "nobody"} → ${now ?? "nobody"}`];
  return [
    ...changed("state", seen.state, task.state),
    ...changed("priority", seen.priority, task.priority),
    ...changed("assignee", seen.assignee, task.assignee),
    ...changed("title", seen.title, task.title),
    ...(seen.description === descriptionHash(task) ? [] : ["description"]),
  ];
}

/** Of `purser task` in a wake. */
const taskCall = z.object({
  /** In which it was made. */
  wake: z.string().check(z.maxLength(200)),
  at: z.int(),
  task: z.string().check(z.maxLength(200)),
  mode: z.enum(["full", "delta", "summary"]),
});
export type TaskCall = z.output<typeof taskCall>;
export type FetchMode = TaskCall["mode"];

/** The agent can write to this folder. Bytes. */
const [maxCursorSize, maxCallsSize] = [2 * 1024 * 1024, 4 * 1024 * 1024];

/**
 * What an agent has seen of its tasks, and what it fetched. A sandboxed agent may write to this folder alone of ours, so its content is checked like
 * outside text. Invalid content counts as not seen.
 */
export class Desk {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  cursorOf(task: string): TaskCursor {
    return readJson(taskCursor, readSmallText(this.#cursorFile(task), maxCursorSize)) ?? unseen;
  }

  /** Returns why it cannot be stored. After a failure it is only shown once more. */
  async keep(task: string, cursor: TaskCursor): Promise<string | null> {
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      const bytes = Buffer.from(JSON.stringify(cursor));
      await writeAtomically(this.#cursorFile(task), bytes, {
        files: nodeFiles,
        unique: randomUUID,
        isDurable: false,
      });
      return null;
    } catch (error) {
      return errorCode(error);
    }
  }

  async log(call: TaskCall): Promise<void> {
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      await appendFile(this.#callsFile, `${JSON.stringify(call)}\n`, { mode: 0o600 });
    } catch (error) {
      // A call that is not counted does no harm to the work.
      rethrowUnlessSystemError(error);
    }
  }

  /** In their order. */
  async callsOf(wake: string): Promise<readonly TaskCall[]> {
    let text: string;
    try {
      text = await readFile(this.#callsFile, "utf8");
    } catch (error) {
      rethrowUnlessSystemError(error);
      return [];
    }
    return text
      .slice(-maxCallsSize)
      .split("\n")
      .flatMap((line) => {
        const read = readJson(taskCall, line);
        return read?.wake === wake ? [read] : [];
      });
  }

  /** Drops calls of finished wakes. */
  async clear(): Promise<void> {
    await nodeFiles.remove(this.#callsFile);
  }

  get #callsFile(): string {
    return path.join(this.folder, "calls.ndjson");
  }

  #cursorFile(task: string): string {
    return path.join(this.folder, `${taskId.safeParse(task).success ? task : "none"}.json`);
  }
}

/** The largest fetch of a wake. */
export function fetchModeOf(calls: readonly { readonly mode: FetchMode }[]): FetchMode | "none" {
  const modes = new Set(calls.map(({ mode }) => mode));
  return modes.has("full")
    ? "full"
    : modes.has("delta")
      ? "delta"
      : modes.has("summary")
        ? "summary"
        : "none";
}
