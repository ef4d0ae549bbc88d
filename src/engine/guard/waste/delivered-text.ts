import { sha256Hex } from "../../base/hash.ts";
import * as z from "zod/mini";
import { type HookAnswer, type EventNamed, toolCallOf } from "../../hooks/event.ts";
import type { Invocation } from "../commands/invocation.ts";
import { memberOf } from "../own-value.ts";
import { absolutePath, fileCommand } from "./file-command.ts";

/** The text of a file, or of some of its lines, that a call gave to the agent. */
export interface DeliveredText {
  /** Absolute. */
  readonly file: string;
  /** Null if the tool mixes line numbers with the text. */
  readonly lines: Lines | null;
  readonly text: string;
  /** Whether the call named lines instead of the whole file. */
  readonly isPart: boolean;
  /** Returns the tool's output with another text in its place. */
  readonly replacedBy: (text: string) => NonNullable<HookAnswer["output"]>;
}

export interface Lines {
  readonly first: number;
  readonly last: number;
}

/** Maximum length of a text that is compared. Agents cut longer ones. Characters. */
const maxTextLength = 300_000;
/** Maximum length of a command's output. Agents cut longer ones. Characters. */
const maxOutputLength = 30_000;

/** Response of Claude Code's tool Read for a text. */
const readResponse = z.looseObject({
  type: z.literal("text"),
  file: z.looseObject({
    content: z.string().check(z.maxLength(maxTextLength)),
    numLines: z.int().check(z.nonnegative()),
    startLine: z.int().check(z.positive()),
  }),
});

/** Claude Code's response of a successful command with its whole output. */
const commandResponse = z.looseObject({
  stdout: z.string().check(z.maxLength(maxOutputLength)),
  stderr: z.literal(""),
  interrupted: z.literal(false),
  isImage: z.optional(z.literal(false)),
  backgroundTaskId: z.optional(z.undefined()),
  persistedOutputPath: z.optional(z.undefined()),
});

/** The line of Copilot CLI after a command's output. */
const shellEnd = /\n?<shellId: [^>\n]{0,100} completed with exit code 0>\s*$/u;

/** Returns the text of a file that a call has delivered; null for other calls. @param invocations of its command line, if any */
export function deliveredText(
  event: EventNamed<"PostToolUse">,
  invocations: readonly Invocation[],
): DeliveredText | null {
  const call = toolCallOf(event);
  const { tool_response: response, tool_input: input, cwd = null } = event;
  if (call.kind === "command") return commandText(invocations, response);
  if (call.kind !== "read" || call.file === null) return null;
  const file = absolutePath(call.file, cwd);
  if (file === null) return null;
  const isPart = namesLines(input);
  if (typeof response === "string")
    return response.length > maxTextLength
      ? null
      : { file, lines: null, text: response, isPart, replacedBy: plainOutput };
  const read = readResponse.safeParse(response);
  if (!read.success) return null;
  const { content, startLine: first, numLines } = read.data.file;
  return {
    file,
    lines: { first, last: first + numLines - 1 },
    text: content,
    isPart,
    replacedBy: (text) => ({
      text,
      response: { ...read.data, file: { ...read.data.file, content: text, numLines: 1, startLine: 0 } },
    }),
  };
}

function commandText(invocations: readonly Invocation[], response: unknown): DeliveredText | null {
  const wanted = fileCommand(invocations);
  if (wanted === null) return null;
  const read = commandResponse.safeParse(response);
  const printed = read.success ? read.data.stdout : response;
  if (typeof printed !== "string" || printed.length > maxOutputLength) return null;
  const text = printed.replace(shellEnd, "");
  const { file, first, last } = wanted;
  return {
    file,
    lines: { first, last: first + linesOf(text).length - 1 },
    text,
    isPart: first > 1 || last !== null,
    replacedBy: (other) =>
      read.success ? { text: other, response: { ...read.data, stdout: other } } : plainOutput(other),
  };
}

function plainOutput(text: string): NonNullable<HookAnswer["output"]> {
  return { text, response: text };
}

/** Inputs of agents' tools that name lines. */
const lineMembers = ["offset", "limit", "view_range", "start_line", "end_line", "startLine", "endLine"];

export function namesLines(input: unknown): boolean {
  return lineMembers.some((name) => memberOf(input, name) !== undefined);
}

/** Splits a text into lines. A final line break does not start another line. */
export function linesOf(text: string): string[] {
  return withoutEnd(text).split("\n");
}

export function textHash(text: string): string {
  return sha256Hex(text, 32);
}

/** Returns the hash of lines, without a final line break. */
export function linesHash(text: string): string {
  return textHash(withoutEnd(text));
}

function withoutEnd(text: string): string {
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}
