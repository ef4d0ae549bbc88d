import * as z from "zod/mini";
import { sentence } from "../../base/language.ts";

/** People write a recurring agent's name in other ways: trackers ignore case, and `@` may precede it. */

export function namesAgent(agent: string, given: string | null): boolean {
  return given !== null && plain(given) === agent;
}

function plain(name: string): string {
  return name.normalize("NFKC").trim().replace(/^@/u, "").toLowerCase();
}

/** `quoted`: only in a quotation, in code, or as part of an address, as services read it. */
export function mentionIn(text: string, agent: string): "direct" | "quoted" | "none" {
  // Names of recurring agents are letters, digits and hyphens: nothing is to be escaped.
  const name = `@${agent}(?!_*[A-Za-z0-9]|-[A-Za-z0-9])`;
  // Input methods of East Asian languages write a wide @.
  const given = text.normalize("NFKC");
  if (new RegExp(`(?<![A-Za-z0-9@/\\\\])${name}(?!/[A-Za-z0-9])`, "iu").test(ownWords(given)))
    return "direct";
  return new RegExp(`(?<![A-Za-z0-9@])${name}`, "iu").test(given) ? "quoted" : "none";
}

/** Without code and quotations. */
function ownWords(text: string): string {
  return text
    .replaceAll(/^ {0,3}(`{3,}(?!`)|~{3,}(?!~))[\s\S]*?(?:^ {0,3}\1.*$|(?![\s\S]))/gmu, "")
    .replaceAll(/(?<!`)(`{1,8})(?!`)[^\n]{0,2000}?[^`]\1(?!`)/gu, " ")
    .replaceAll(/^[ \t]*>.*$/gmu, "");
}

/** Texts come from people and agents, and are cleaned when shown. */

export const taskStates = [
  "backlog",
  "todo",
  "in_progress",
  "in_review",
  "blocked",
  "done",
  "cancelled",
] as const;
export type TaskState = (typeof taskStates)[number];

/** The most urgent first. */
export const priorities = ["critical", "high", "medium", "low"] as const;

/** An id is a file's name, and a word in commands. */
export const taskId = z
  .string()
  .check(
    z.regex(
      /^[A-Za-z0-9](?:[\w.-]{0,98}[A-Za-z0-9])?$/u,
      sentence("must be letters, digits, hyphens, dots or underscores").text,
    ),
  );

const who = z.string().check(z.minLength(1), z.maxLength(200));
/** Milliseconds since the epoch; null where unknown. */
const at = z.nullable(z.int());

export const task = z.object({
  id: taskId,
  title: z.string().check(z.maxLength(500)),
  state: z.enum(taskStates),
  priority: z._default(z.enum(priorities), "medium"),
  assignee: z._default(z.nullable(who), null),
  parent: z._default(z.nullable(taskId), null),
  blockedBy: z._default(z.array(taskId).check(z.maxLength(100)), []),
  /** Succeeds when the task is done. Null for none. */
  check: z._default(z.nullable(z.string().check(z.maxLength(2000))), null),
  description: z._default(z.string().check(z.maxLength(200_000)), ""),
  updatedAt: z._default(at, null),
});
export type Task = z.output<typeof task>;

export const taskComment = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(200)),
  author: who,
  at,
  text: z.string().check(z.maxLength(100_000)),
});
export type TaskComment = z.output<typeof taskComment>;

export function isClosed({ state }: Pick<Task, "state">): boolean {
  return state === "done" || state === "cancelled";
}

/** Work in progress, then priority, then the longest unchanged. */
export function byUrgency(one: Task, other: Task): number {
  const rank = (each: Task) => (each.state === "in_progress" ? 0 : each.state === "blocked" ? 2 : 1);
  return (
    rank(one) - rank(other) ||
    priorities.indexOf(one.priority) - priorities.indexOf(other.priority) ||
    (one.updatedAt ?? 0) - (other.updatedAt ?? 0) ||
    (one.id < other.id ? -1 : 1)
  );
}
