import type { Sentence } from "../../base/language.ts";
import type { WakeOutcome } from "../../ledger/woken.ts";
import { namesAgent, byUrgency, isClosed, type Task, type TaskComment } from "./task.ts";
import { changesOf, newComments, type TaskCursor } from "./desk.ts";

/** Times are milliseconds since the epoch; null means unknown. */

/** The whole thread, what is new, or a summary. */

export interface InboxItem {
  readonly id: string;
  readonly title: string;
  readonly state: Task["state"];
  readonly priority: Task["priority"];
  readonly updatedAt: number | null;
  /** Time of the last comment by anyone but the agent. */
  readonly lastExternalCommentAt: number | null;
  /** Unseen, except the agent's own. */
  readonly newComments: number;
  /** Open ones. */
  readonly blockedBy: readonly string[];
}

/** Facts about a task from outside its own file. */
export interface TaskThread {
  readonly task: Task;
  readonly comments: readonly TaskComment[];
  readonly cursor: TaskCursor;
}

/** What to do first at the front. Blocked tasks come last. */
export function inboxOf(threads: readonly TaskThread[], all: readonly Task[], agent: string): InboxItem[] {
  const open = new Set(all.filter((each) => !isClosed(each)).map(({ id }) => id));
  const items = threads.map((thread) => ({ thread, item: inboxItem(thread, open, agent) }));
  return items
    .toSorted(
      (one, other) =>
        Number(one.item.blockedBy.length > 0) - Number(other.item.blockedBy.length > 0) ||
        byUrgency(one.thread.task, other.thread.task),
    )
    .map(({ item }) => item);
}

function inboxItem(
  { task, comments, cursor }: TaskThread,
  open: ReadonlySet<string>,
  agent: string,
): InboxItem {
  const { id, title, state, priority, updatedAt } = task;
  return {
    id,
    title,
    state,
    priority,
    updatedAt,
    lastExternalCommentAt: lastExternal(comments, agent)?.at ?? null,
    newComments: newComments(cursor, comments).filter(({ author }) => !namesAgent(agent, author)).length,
    blockedBy: task.blockedBy.filter((other) => open.has(other)),
  };
}

function lastExternal(comments: readonly TaskComment[], agent: string): TaskComment | undefined {
  return comments.findLast(({ author }) => !namesAgent(agent, author));
}

export interface TaskContext {
  readonly id: string;
  readonly title: string;
  readonly state: Task["state"];
  readonly priority: Task["priority"];
  readonly assignee: string | null;
  readonly updatedAt: number | null;
  readonly check: string | null;
  /** Null where the agent's session has it already. */
  readonly description: string | null;
  readonly parents: readonly {
    readonly id: string;
    readonly title: string;
    readonly state: Task["state"] | null;
  }[];
  readonly blockedBy: readonly {
    readonly id: string;
    readonly title: string;
    readonly state: Task["state"] | null;
  }[];
  readonly children: { readonly open: number; readonly done: number };
  /** Since the agent saw it last. */
  readonly changes: readonly string[];
  readonly comments: {
    readonly total: number;
    /** Unseen, except the agent's own. */
    readonly new: number;
    readonly lastExternalAt: number | null;
  };
  readonly lastWake: LastWake | null;
  /** The part to fetch next. */
  readonly next: "comments" | "digest" | "nothing";
}

export interface LastWake {
  readonly at: number;
  readonly outcome: WakeOutcome;
  readonly detail: Sentence | null;
}

/** A longer chain, or a circle, ends there. */
const maxParents = 5;

export function contextOf(
  { task, comments, cursor }: TaskThread,
  {
    all,
    agent,
    lastWake,
    isWhole,
  }: {
    readonly all: readonly Task[];
    readonly agent: string;
    readonly lastWake: LastWake | null;
    readonly isWhole: boolean;
  },
): TaskContext {
  const byId = new Map(all.map((each) => [each.id, each]));
  const brief = (id: string) => {
    const found = byId.get(id);
    return { id, title: found?.title ?? "", state: found?.state ?? null };
  };
  const changes = changesOf(task, cursor);
  const isFirst = cursor.seen === null;
  const unread = newComments(cursor, comments).filter(({ author }) => !namesAgent(agent, author));
  const children = all.filter(({ parent }) => parent === task.id);
  const { id, title, state, priority, assignee, updatedAt, check } = task;
  return {
    id,
    title,
    state,
    priority,
    assignee,
    updatedAt,
    check,
    description: isWhole || isFirst || changes.includes("description") ? task.description : null,
    parents: parentsOf(task, byId).map(brief),
    blockedBy: task.blockedBy
      .map(brief)
      .filter((each) => each.state === null || !isClosed({ state: each.state })),
    children: {
      open: children.filter((each) => !isClosed(each)).length,
      done: children.filter((each) => each.state === "done").length,
    },
    changes,
    comments: {
      total: comments.length,
      new: unread.length,
      lastExternalAt: lastExternal(comments, agent)?.at ?? null,
    },
    lastWake,
    next: isFirst && unread.length < comments.length ? "digest" : unread.length > 0 ? "comments" : "nothing",
  };
}

function parentsOf(task: Task, byId: ReadonlyMap<string, Task>): string[] {
  const parents: string[] = [];
  for (
    let next = task.parent;
    next !== null && parents.length < maxParents;
    next = byId.get(next)?.parent ?? null
  ) {
    if (parents.includes(next) || next === task.id) break;
    parents.push(next);
  }
  return parents;
}
