import { isObject } from "../../base/parse.ts";
import { contentChars } from "../claude/message-parts.ts";

import { sizeOf } from "../row-values.ts";
import type { NewCall, CallUpdate } from "../work-log.ts";
import { callItem, type CallItem, type ItemEvent, type OutputItem, type ToolEvent } from "./work-rows.ts";

/** Characters. */
const maxToolLength = 100;
/** Tools that run a command, which may read files. Older versions' rollouts do not record which. */
const shells: ReadonlySet<string> = new Set([
  "exec",
  "exec_command",
  "local_shell",
  "shell",
  "shell_command",
  "write_stdin",
]);

/** Returns the call in a `response_item`; undefined for any other item, and for a call without the name it must have. */
export function callIn(payload: unknown): CallItem | undefined {
  const { data } = callItem.safeParse(payload);
  return data === undefined || isNameless(data) ? undefined : data;
}

/** Whether a call lacks its name; only the API's built-in tools go without one. */
function isNameless({ type, name }: CallItem): boolean {
  return (type === "function_call" || type === "custom_tool_call") && (name ?? "") === "";
}

export function calledBy(item: CallItem): NewCall {
  const { type, name, namespace, arguments: args, input, action } = item;
  const named = name ?? type.replace(/_call$/u, "");
  const isOfServer = (namespace ?? "").startsWith("mcp__");
  const tool = isOfServer ? `${namespace?.replace(/(?<!_)_+$/u, "") ?? ""}__${named}` : named;
  return {
    id: item.call_id ?? item.id ?? null,
    tool: tool.slice(0, maxToolLength),
    server: /^mcp__(.+?)__/u.exec(tool)?.[1] ?? null,
    inputChars: sizeOf(args ?? input ?? action),
    reads: shells.has(named) ? null : [],
  };
}

/** Characters that went back into the context, without the status lines that Codex writes above them. */
export function updateFromOutput({ output }: OutputItem): CallUpdate {
  const content = isObject(output) && !Array.isArray(output) ? output["content"] : output;
  const opening = openingOf(content);
  const exitCode = /^(?:Process exited with code|Exit code:) (-?\d{1,10})$/mu.exec(opening)?.[1];
  const seconds = /^Wall time: (\d{1,9}(?:\.\d{1,9})?) seconds$/mu.exec(opening)?.[1];
  return {
    resultChars: contentChars(content),
    ...olderOutput(content),
    ...(exitCode === undefined ? {} : { isError: Number(exitCode) !== 0 }),
    ...(seconds === undefined ? {} : { durationMs: Math.round(Number(seconds) * 1000) }),
  };
}

/** How far the status lines above the tool's own output may reach. Characters. */
const openingLength = 400;

function openingOf(output: unknown): string {
  const first: unknown = Array.isArray(output) ? output[0] : output;
  const text: unknown = isObject(first) ? first["text"] : first;
  return typeof text === "string" ? (text.slice(0, openingLength).split("\nOutput:", 1)[0] ?? "") : "";
}

/** Older versions append a command's metadata to the JSON text. */
function olderOutput(output: unknown): CallUpdate {
  const match =
    typeof output === "string"
      ? /"metadata":\{"exit_code":(-?\d{1,10}),"duration_seconds":(\d{1,9}(?:\.\d{1,17})?)\}\}$/u.exec(
          output.slice(-200),
        )
      : null;
  if (match === null) return {};
  const [, exitCode, seconds] = match;
  return { isError: Number(exitCode) !== 0, durationMs: Math.round(Number(seconds) * 1000) };
}

export function updateFromItem({ item, started_at_ms: from, completed_at_ms: to }: ItemEvent): CallUpdate {
  const { status, exit_code: exitCode, parsed_cmd: commands } = item;
  const span = typeof from === "number" && typeof to === "number" && to >= from ? to - from : null;
  const isEnded = status !== null && status !== undefined && !/^in_?progress$/iu.test(status);
  return {
    server: item.server ?? null,
    durationMs: durationOf(item.duration) ?? span,
    isError: isEnded ? status !== "completed" || (exitCode ?? 0) !== 0 : null,
    reads: readsOf(commands),
  };
}

/** Details of a completed call, from an older version's event. */
export function updateFromEvent(event: ToolEvent): CallUpdate {
  const { success, exit_code: exitCode, result, invocation, duration, parsed_cmd: commands } = event;
  return {
    server: invocation?.server ?? null,
    durationMs: durationOf(duration),
    isError: isFailure(result) ?? (typeof success === "boolean" ? !success : null) ?? failedBy(exitCode),
    reads: readsOf(commands),
  };
}

function failedBy(exitCode: number | null | undefined): boolean | null {
  return typeof exitCode === "number" ? exitCode !== 0 : null;
}

/** `{ Ok: … }` or `{ Err: … }`; an `Ok` from a server may still report an error. */
function isFailure(result: unknown): boolean | null {
  if (!isObject(result)) return null;
  if ("Err" in result) return true;
  const value = result["Ok"];
  if (!isObject(value)) return null;
  return value["isError"] === true || value["is_error"] === true;
}

function readsOf(commands: ToolEvent["parsed_cmd"]): string[] | null {
  if (commands === null || commands === undefined) return null;
  return commands.flatMap(({ type, path }) => (type === "read" && typeof path === "string" ? [path] : []));
}

function durationOf(duration: ToolEvent["duration"]): number | null {
  return duration === null || duration === undefined
    ? null
    : Math.round(duration.secs * 1000 + duration.nanos / 1e6);
}
