import type { WakeSource } from "../../ledger/woken.ts";
import type { RecurringAgent } from "../agents/definition.ts";
import { tasksLesson } from "../tasks/tasks-source.ts";
import { type TaskContext, contextOf } from "../tasks/tasks-context.ts";
import { type TaskComment, namesAgent, type Task } from "../tasks/task.ts";
import type { UnattendedWork } from "../../continuity/handover.ts";
import { newComments, unseen, type TaskCursor } from "../tasks/desk.ts";
import { decisionsOf } from "../tasks/decision-lines.ts";

export interface WakeNews {
  readonly source: WakeSource;
  /** Null without a task. */
  readonly context: TaskContext | null;
  /** New ones of others, or all of the thread's, oldest first. */
  readonly comments: readonly TaskComment[];
  /** All comments, for a session that replaces a lost one. */
  readonly isWhole: boolean;
  /** How the last wake failed. */
  readonly trouble: string | null;
}

export interface WakePrompt {
  readonly text: string;
  /** Characters before what changes from wake to wake. */
  readonly constant: number;
  /** It contains the new comments. */
  readonly hasComments: boolean;
}

/** Of new comments. A call for them would send the whole context once more. Characters. */
const maxNewsLength = 12_000;

/**
 * The constant part comes first, byte for byte the same in every wake, so that the provider's cache applies. A new session starts with the bootstrap,
 * and with `carried`, a summary of the session it replaces.
 */
export function wakePrompt(
  agent: Pick<RecurringAgent, "name" | "bootstrap" | "wake">,
  news: WakeNews,
  { isNew, carried }: { readonly isNew: boolean; readonly carried: string | null },
): WakePrompt {
  const first = isNew ? [tasksLesson.trim(), agent.bootstrap] : [];
  const each = [awakening(agent.name), agent.wake.trim()];
  const constant = [...first, ...each].filter((part) => part !== "").join("\n\n");
  const { text, hasComments } = newsText(news);
  const parts = [constant, ...(carried === null ? [] : [carried.trim()]), text];
  return { text: `${parts.join("\n\n")}\n`, constant: constant.length, hasComments };
}

/** Begins each wake's prompt, after the part for new sessions. */
export function awakening(name: string): string {
  return `You are the recurring agent ${name}, and are awake.`;
}

const sourceWords: Readonly<Record<WakeSource, string>> = {
  timer: "your schedule",
  assignment: "a task that was assigned to you",
  mention: "somebody who mentioned you",
  manual: "a person",
};

function newsText({ source, context, comments, isWhole, trouble }: WakeNews): {
  readonly text: string;
  readonly hasComments: boolean;
} {
  const lines = [`Woken by ${sourceWords[source]}.`];
  if (trouble !== null)
    lines.push(`Your last wake did not end well: ${oneLine(trouble)}. Check what it left.`);
  if (context === null)
    return { text: [...lines, "You have no open task now."].join("\n"), hasComments: false };
  const { id, title, state, changes, check, description, parents, blockedBy, next } = context;
  lines.push(`Task ${id}: ${oneLine(title)} (${state})`);
  if (parents.length > 0)
    lines.push(`Part of: ${parents.map((each) => `${each.id} ${oneLine(each.title)}`).join("; ")}`);
  if (blockedBy.length > 0) lines.push(`Blocked by: ${blockedBy.map((each) => each.id).join(", ")}`);
  if (changes.length > 0) lines.push(`Changed since you looked: ${changes.map(oneLine).join("; ")}`);
  if (description !== null) {
    lines.push("", description.trim());
    if (check !== null) lines.push("", `Done when this succeeds: ${oneLine(check)}`);
  }
  if (next === "digest" && !isWhole)
    lines.push("", `You have read this thread in an earlier session; purser task digest ${id} sums it up.`);
  if (comments.length === 0)
    return {
      text: [...lines, "", isWhole ? "No comments." : "No new comments."].join("\n"),
      hasComments: true,
    };
  const written = comments
    .map(({ id: own, author, text }) => `[${own}] ${oneLine(author)}:\n${text.trim()}`)
    .join("\n\n");
  if (written.length > maxNewsLength)
    return {
      text: [
        ...lines,
        "",
        isWhole
          ? `${comments.length} comments: purser task digest ${id} sums them up, purser task show ${id} has them all.`
          : `${comments.length} new comments: purser task comments ${id}`,
      ].join("\n"),
      hasComments: false,
    };
  const heading = isWhole
    ? "All comments, as the session that read them before cannot go on:"
    : "New comments:";
  return { text: [...lines, "", heading, "", written].join("\n"), hasComments: true };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}

/**
 * What a wake's session knows about its task. `goes_on`: everything shown before; `new`: only that there is a
 * summary; `lost`: nothing, as the earlier session is gone.
 */
type SessionKnowledge = "goes_on" | "new" | "lost";

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
