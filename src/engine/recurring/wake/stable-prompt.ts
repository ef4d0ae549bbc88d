import type { WakeSource } from "../../ledger/woken.ts";
import type { RecurringAgent } from "../agents/definition.ts";
import { tasksLesson } from "../tasks/tasks-source.ts";
import type { TaskContext } from "../tasks/tasks-context.ts";
import type { TaskComment } from "../tasks/task.ts";

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
