import { sha256Hex } from "../../base/hash.ts";
import * as z from "zod/mini";
import { taskStates, priorities, type Task, type TaskComment } from "./task.ts";

/** What an agent has seen of a task. Comments are identified by id: one that git merges later, with an earlier time, is still new. */
export const taskCursor = z.object({
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
