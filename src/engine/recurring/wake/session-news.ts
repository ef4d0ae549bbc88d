import type { UnattendedWork } from "../../continuity/handover/unattended.ts";
import type { RecurringAgent } from "../agents/definition.ts";
import { tasksLesson } from "../tasks/lesson.ts";
import { contextOf } from "../tasks/tasks-context.ts";
import { newComments, unseen, type TaskCursor } from "../tasks/cursor.ts";
import type { Task, TaskComment } from "../tasks/task.ts";
import { decisionsOf } from "../tasks/thread-digest.ts";
import { awakening, type WakeNews } from "./stable-prompt.ts";

/**
 * What a wake's session knows of its task: `goes_on` all that was shown before, `new` nothing but that there is a summary, `lost` nothing at all, as the
 * session that knew it is gone.
 */
export type SessionKnowledge = "goes_on" | "new" | "lost";

/** What a session hears about its task. */
export interface SessionNews {
  /** What it has seen before its prompt. */
  readonly cursor: TaskCursor;
  readonly news: WakeNews;
}

/** Says what is news to a session. @param before what the agent was shown up to now */
export function newsFor(
  knows: SessionKnowledge,
  {
    thread,
    all,
    before,
    agent,
    ...told
  }: Pick<WakeNews, "source" | "trouble"> & {
    readonly thread: { readonly task: Task; readonly comments: readonly TaskComment[] } | null;
    readonly all: readonly Task[];
    readonly before: TaskCursor;
    /** Its name. */
    readonly agent: string;
  },
): SessionNews {
  const isLost = knows === "lost" && (before.seen !== null || before.comments.length > 0);
  const cursor = isLost ? unseen : knows === "goes_on" ? before : { ...before, seen: null };
  if (thread === null) return { cursor, news: { ...told, context: null, comments: [], isWhole: false } };
  const context = contextOf({ ...thread, cursor }, { all, agent, lastWake: null, isWhole: false });
  // The agent's own comments are news to a session that did not write them.
  const comments = isLost
    ? thread.comments
    : newComments(cursor, thread.comments).filter(({ author }) => author !== agent);
  return { cursor, news: { ...told, context, comments, isWhole: isLost } };
}

/**
 * Returns what a session's successor needs beside the session's own record: the prompts in that record are purser's.
 * @param others the names of recurring agents, whose comments are no decisions of people
 */
export function unattendedWorkOf(
  {
    request,
    thread,
  }: {
    readonly request: { readonly agent: Pick<RecurringAgent, "name" | "bootstrap"> };
    readonly thread: { readonly task: Task; readonly comments: readonly TaskComment[] } | null;
  },
  others: readonly string[],
): UnattendedWork {
  const { agent } = request;
  const oneLine = (text: string) => text.replaceAll(/\s+/gu, " ").trim();
  const objective =
    thread === null
      ? `The work of the recurring agent ${agent.name}. ${agent.bootstrap}`
      : `Task ${thread.task.id}: ${thread.task.title}. ${thread.task.description}`;
  return {
    objective: oneLine(objective).slice(0, 2000),
    decisions: thread === null ? [] : decisionsOf(thread.comments, [agent.name, ...others]),
    beginnings: [awakening(agent.name), tasksLesson.split("\n")[0] ?? ""].filter((text) => text !== ""),
  };
}
