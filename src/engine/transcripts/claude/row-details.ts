import { isObject } from "../../base/parse.ts";
import {
  type Parts,
  toolName,
  replyParts,
  inputChars,
  contentChars,
  countAt,
  listAt,
  objectAt,
  objectsAt,
  textAt,
  type RowObject,
} from "./message-parts.ts";

/**
 * What rows contain beyond `readRow`: what the tokens were spent on. The live tail does without it, so it is read
 * separately, from the same parsed row. Names, paths, sizes and counts only: never the text of a tool or a file. Nothing
 * here is required, so nothing here makes a row malformed.
 */

export interface ToolCall {
  readonly id: string;
  readonly tool: string;
  readonly server: string | null;
  readonly skill: string | null;
  /** Size of its input as JSON. */
  readonly inputChars: number;
  /** The file it reads, for tools that read one. */
  readonly reads: string | null;
}

export interface ReplyDetails {
  /** The agent could not get an answer, and wrote this reply itself. */
  readonly isError: boolean;
  readonly hasText: boolean;
  /** The id of the `api-request` row it answers. */
  readonly requestRef: string | null;
  /** The subagent's type, on rows of a subagent. */
  readonly agentType: string | null;
  readonly calls: readonly ToolCall[];
  /** Parts of this row's blocks, if it answers a request; a response has one row per block. */
  readonly parts: Parts;
}

export interface ToolResult {
  readonly id: string;
  /** Characters added to the context. */
  readonly chars: number;
  readonly isError: boolean | null;
  readonly durationMs: number | null;
  readonly subagent: { readonly id: string; readonly type: string | null } | null;
}

/** Information about the agent's context, from an attachment. */
export type Surrounding =
  | { readonly kind: "instructions"; readonly files: number; readonly chars: number }
  /** The agent's own notes on the session. They follow the instructions, if there are any. */
  | { readonly kind: "session-context" }
  | {
      readonly kind: "skills";
      readonly count: number;
      readonly names: readonly string[];
      readonly isInitial: boolean;
    }
  /** A prompt entered while the agent was busy. Characters. */
  | { readonly kind: "queued-prompt"; readonly chars: number };

/** @param row of type `assistant`, or the one nested in an old `progress` row */
export function readReplyDetails(row: RowObject): ReplyDetails {
  const message = objectAt(row, "message");
  const requestRef = textAt(row, "requestRef");
  const calls: ToolCall[] = [];
  let hasText = false;
  for (const block of listAt(message, "content")) {
    if (!isObject(block)) continue;
    const { type } = block;
    if (type === "text") hasText ||= textAt(block, "text") !== null;
    const call = type === "tool_use" ? toolCallIn(block, textAt(row, "attributionSkill")) : null;
    if (call !== null) calls.push(call);
  }
  return {
    isError: row["isApiErrorMessage"] === true,
    hasText,
    requestRef,
    agentType: textAt(row, "attributionAgent"),
    calls,
    parts: requestRef === null ? noParts : replyParts(message?.["content"]),
  };
}

const noParts: Parts = new Map();

function toolCallIn(block: RowObject, skill: string | null): ToolCall | null {
  const id = textAt(block, "id");
  const { name } = block;
  if (id === null || typeof name !== "string") return null;
  const input = objectAt(block, "input");
  return {
    id,
    tool: toolName(name),
    server: name.startsWith("mcp__") ? (/^mcp__(.+?)__/u.exec(name)?.[1] ?? null) : null,
    skill: name === "Skill" ? (textAt(input, "skill") ?? textAt(input, "command")) : skill,
    inputChars: inputChars(block),
    reads: readTools.has(name) ? (textAt(input, "file_path") ?? textAt(input, "notebook_path")) : null,
  };
}

export const readTools: ReadonlySet<string> = new Set(["Read", "NotebookRead"]);

export function readToolResults(row: RowObject): ToolResult[] {
  const results = objectsAt(objectAt(row, "message"), "content").filter(({ type }) => type === "tool_result");
  // `toolUseResult` describes one call, so it is used only when the row has a single result.
  const note = results.length === 1 ? objectAt(row, "toolUseResult") : null;
  return results.flatMap((block) => {
    const id = textAt(block, "tool_use_id");
    if (id === null) return [];
    const isError = block["is_error"];
    const agentId = textAt(note, "agentId");
    return [
      {
        id,
        chars: contentChars(block["content"]),
        isError: typeof isError === "boolean" ? isError : null,
        durationMs: countAt(note, "durationMs") ?? countAt(note, "totalDurationMs"),
        subagent: agentId === null ? null : { id: agentId, type: textAt(note, "agentType") },
      },
    ];
  });
}

export function isInterruption(row: RowObject): boolean {
  const content = objectAt(row, "message")?.["content"];
  const texts: unknown[] = Array.isArray(content)
    ? content.map((block: unknown) => (isObject(block) ? block["text"] : null))
    : [content];
  return texts.some((text) => typeof text === "string" && text.startsWith("[Request interrupted by user"));
}

export function readSurrounding(row: RowObject): Surrounding | null {
  const attachment = objectAt(row, "attachment");
  switch (attachment?.["type"]) {
    case "instructions": {
      const files = objectsAt(attachment, "files");
      const chars = files.reduce((sum, file) => sum + (textAt(file, "content")?.length ?? 0), 0);
      return { kind: "instructions", files: files.length, chars };
    }
    case "session_context":
      return { kind: "session-context" };
    case "skill_listing": {
      const names = listAt(attachment, "names").filter((name) => typeof name === "string");
      const isInitial = attachment["isInitial"] !== false;
      return { kind: "skills", count: countAt(attachment, "skillCount") ?? names.length, names, isInitial };
    }
    case "queued_command":
      return { kind: "queued-prompt", chars: contentChars(attachment["prompt"]) };
    default:
      return null;
  }
}

/** The session this row was copied from, according to a fork's own markers; null when the row has none. */
export function readOrigin(row: RowObject): string | null {
  return textAt(row, "requestSessionId") ?? textAt(objectAt(row, "forkedFrom"), "sessionId");
}
