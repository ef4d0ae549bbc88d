import { sha256Hex } from "../../base/hash.ts";
import * as z from "zod/mini";
import { cleanText } from "../../base/text.ts";
import { type EventNamed, toolCallOf } from "../../hooks/event.ts";
import { actionOf, errorOf, type Action } from "../work/ended-action.ts";
import type { CommandFacts } from "../work/command-facts.ts";

const hash = z.string().check(z.maxLength(16));
/** Maximum words of a command that are compared. */
const maxWords = 24;
const maxNameLength = 60;

export const step = z.object({
  /** Equal for the same action: tool and input. */
  key: hash,
  /** Equal for actions on the same thing, such as two edits of a file. */
  spot: hash,
  /**
   * - `look`: changes nothing, and reads the state;
   * - `check`: shows whether the work is correct;
   * - `change`: may have changed something;
   * - `try`: failed without a change;
   * - `other`: unknown.
   */
  effect: z.enum(["look", "check", "change", "try", "other"]),
  isEdit: z.boolean(),
  /** Equal for failures that differ only in numbers; null unless it failed. */
  failure: z.nullable(hash),
  /** Equal for failures that differ only in times. */
  exact: z.nullable(hash),
  /** Equal for failures with the same cause, on any file or word. */
  cause: z.nullable(hash),
  /** Equal for outputs that differ only in times; null for failures and edits. */
  result: z.nullable(hash),
  /** Program and subcommand, or tool and file, for people. */
  name: z.string().check(z.maxLength(maxNameLength)),
  /** Hashes of a command's words; empty for other tools. */
  words: z.array(z.string().check(z.maxLength(6))).check(z.maxLength(maxWords)),
  /** Equal for commands that differ only in numbers and paths. */
  masked: hash,
  /** A non-zero exit code may be its answer. */
  isQuestion: z.boolean(),
  /** Equal for requests of the same changing state; null for others. */
  polls: z.nullable(hash),
  waits: z.boolean(),
});
/** An ended action, as hashes without texts. */
export type Step = Readonly<z.infer<typeof step>>;

type Ended = EventNamed<"PostToolUse" | "PostToolUseFailure">;

/** Tools for the agent's plans. */
const plans: ReadonlySet<string> = new Set(["todos", "new-task", "changed-task", "message"]);
/** Tools that show the state of a background command. */
const waitingTools =
  /^(?:BashOutput|TaskOutput|AgentOutputTool|read_bash|read_powershell|get_terminal_output)$/u;

/** Returns an ended call as a step; null for a plan. */
export function stepOf(event: Ended, facts: CommandFacts): Step | null {
  const call = toolCallOf(event);
  if (plans.has(call.kind)) return null;
  const action = actionOf(event);
  const { tool, kind, subject, outcome, failure } = action;
  const isCommand = kind === "command";
  const error = failure === null ? null : (errorOf(event) ?? "");
  const input = isCommand ? subject : inputText(event.tool_input);
  const response = event.hook_event_name === "PostToolUse" ? event.tool_response : undefined;
  const isEdit = kind === "edit";
  const key = sha256Hex(`${tool}\n${input ?? ""}`, 16);
  const { words } = facts;
  return {
    key,
    spot: sha256Hex(`${tool}\n${subject ?? input ?? ""}`, 16),
    effect: effectOf(action, call.kind, facts),
    isEdit,
    failure,
    exact: error === null ? null : sha256Hex(withoutTimes(error), 16),
    cause: error === null ? null : sha256Hex(causeIn(error), 16),
    result: outcome === "failed" || isEdit ? null : sha256Hex(withoutTimes(responseText(response)), 16),
    name: nameOf(action, facts),
    words: isCommand ? words.slice(0, maxWords).map((word) => sha256Hex(word, 16).slice(0, 6)) : [],
    masked: sha256Hex(words.map((word) => masked(word)).join(" "), 16),
    isQuestion: facts.isQuestion,
    polls: waitingTools.test(tool) ? key : facts.polls === null ? null : sha256Hex(facts.polls, 16),
    waits: facts.waits,
  };
}

/** Identifies an action with its result. */
export function markOf({ key, failure, result }: Step): string {
  return `${key}:${failure ?? result ?? ""}`.slice(0, 40);
}

function effectOf({ kind, outcome }: Action, call: string, { effect }: CommandFacts): Step["effect"] {
  const isFailed = outcome === "failed";
  if (kind === "edit" || call === "spawn") return isFailed ? "try" : "change";
  if (kind === "command") return isFailed && effect === "change" ? "try" : effect;
  return kind === "other" ? "other" : "look";
}

function inputText(input: unknown): string {
  if (typeof input !== "object" || input === null) return jsonOf(input);
  const members = Object.entries(input).filter(([name]) => name !== "description" && name !== "timeout");
  return JSON.stringify(members);
}

/** An absent value has no JSON. */
function jsonOf(value: unknown): string {
  return value === undefined ? "" : JSON.stringify(value);
}

function nameOf({ tool, kind, subject }: Action, { name }: CommandFacts): string {
  const file = subject?.split(/[\\/]/u).at(-1) ?? "";
  const text =
    kind === "command" ? name || "a command" : kind === "edit" || kind === "read" ? `${tool} ${file}` : tool;
  return cleanText(text).slice(0, maxNameLength);
}

/** Maximum part of an output's beginning and end that is compared. Characters. */
const maxPart = 8000;

function responseText(response: unknown): string {
  const text = typeof response === "string" ? response : jsonOf(response);
  return text.length <= 2 * maxPart
    ? text
    : `${text.length} ${text.slice(0, maxPart)} ${text.slice(-maxPart)}`;
}

/** Removes times, dates, durations and addresses. Keeps counts: five failures are not four. */
function withoutTimes(text: string): string {
  return text
    .slice(0, 2 * maxPart + 10)
    .replaceAll(/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?Z?)?/gu, "#")
    .replaceAll(/\b\d{1,2}:\d\d(?::\d\d)?(?:\.\d+)?\b/gu, "#")
    .replaceAll(/\b\d+(?:\.\d+)? ?(?:ms|s|sec|secs|seconds?|m|min|minutes?|µs|us|ns)\b/gu, "#")
    .replaceAll(/"?duration_?ms"?[:=]? ?\d+(?:\.\d+)?/giu, "#")
    .replaceAll(/0x[\da-f]+|\b[\da-f]{7,64}\b/giu, "#")
    .replaceAll(/\s+/gu, " ");
}

/** Returns the end of an error without names, paths and numbers. */
function causeIn(error: string): string {
  return error
    .slice(-2000)
    .replaceAll(/(["'`‘“])[^"'`’”\n]{1,200}["'`’”]/gu, "q")
    .split(/\s+/u)
    .map((word) => masked(word))
    .join(" ");
}

function masked(word: string): string {
  if (/[\\/]|[\w-]\.[a-z]\w{0,5}:?$/iu.test(word)) return "p";
  return word.replaceAll(/\d+/gu, "0");
}
