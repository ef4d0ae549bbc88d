import type { UnattendedWork } from "../../continuity/handover.ts";
import type { RecurringAgent } from "../agents/definition.ts";
import { tasksLesson } from "../tasks/tasks-source.ts";
import { contextOf } from "../tasks/tasks-context.ts";
import { namesAgent } from "../tasks/agent-names.ts";
import { newComments, unseen, type TaskCursor } from "../tasks/cursor.ts";
import type { Task, TaskComment } from "../tasks/task.ts";
import { decisionsOf } from "../tasks/thread-decisions.ts";
import { awakening, type WakeNews } from "./stable-prompt.ts";

/**
 * What a wake's session knows about its task. `goes_on`: everything shown before; `new`: only that there is a
 * summary; `lost`: nothing, as the earlier session is gone.
 */
export type SessionKnowledge = "goes_on" | "new" | "lost";

export interface SessionNews {
  /** Seen before its prompt. */
  readonly cursor: TaskCursor;
  readonly news: WakeNews;
}

/** `before` is what the agent was shown so far. */
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
    readonly agent: string;
  },
): SessionNews {
  // Even if nothing was noted as shown: a session that is gone may have written comments of its own.
  const isLost = knows === "lost";
  const cursor = isLost ? unseen : knows === "goes_on" ? before : { ...before, seen: null };
  if (thread === null) return { cursor, news: { ...told, context: null, comments: [], isWhole: false } };
  const context = contextOf({ ...thread, cursor }, { all, agent, lastWake: null, isWhole: false });
  // The agent's own comments are new to a session that did not write them.
  const comments = isLost
    ? thread.comments
    : newComments(cursor, thread.comments).filter(({ author }) => !namesAgent(agent, author));
  return { cursor, news: { ...told, context, comments, isWhole: isLost } };
}

/** What a session's own record lacks, since it has purser's prompts. `others` are recurring agents, whose comments are not people's decisions. */
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
