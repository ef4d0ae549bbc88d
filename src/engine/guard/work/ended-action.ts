import { sha256Hex } from "../../base/hash.ts";
import { type EventNamed, toolCallOf } from "../../hooks/event.ts";
import { toolKind, type ToolKind } from "../../transcripts/tool-kind.ts";

/** The parts of an ended tool call that guards compare, without texts of files or outputs. */
export interface Action {
  readonly tool: string;
  readonly kind: ToolKind;
  /** The command line with single blanks, or the file; for other tools the input's hash; null for a call without. */
  readonly subject: string | null;
  /** `unknown` if the agent does not report failures. */
  readonly outcome: "succeeded" | "failed" | "unknown";
  /** Hash of the error's text without numbers, times and addresses, which identifies the failure. Null unless the call failed. */
  readonly failure: string | null;
}

/** Maximum length of a command line. Characters. */
const maxSubjectLength = 400;
/** Maximum length compared, from the end of an error. Characters. */
const maxErrorLength = 2000;

/** Returns the ended call of an event. */
export function actionOf(event: EventNamed<"PostToolUse" | "PostToolUseFailure">): Action {
  const call = toolCallOf(event);
  const error = errorOf(event);
  const failed = error === null ? null : failureOf(error);
  return {
    tool: call.tool.slice(0, 200),
    kind: toolKind(call.tool),
    subject: subjectOf(call, event.tool_input),
    outcome: failed !== null ? "failed" : isReported(event) ? "succeeded" : "unknown",
    failure: failed,
  };
}

function subjectOf(call: ReturnType<typeof toolCallOf>, input: unknown): string | null {
  if (call.kind === "command")
    return call.command?.trim().replaceAll(/\s+/gu, " ").slice(0, maxSubjectLength) ?? null;
  if (call.kind === "edit" || call.kind === "read") return call.file?.slice(0, maxSubjectLength) ?? null;
  if (input === undefined || input === null) return null;
  return sha256Hex(JSON.stringify(input), 16);
}

/** Lines with a command's exit code: the last line of Copilot CLI's output, and a line of Gemini CLI's. */
const exitCodes = [
  /<shellId: [^>]{0,100} completed with exit code (?<code>-?\d+)>\s*$/u,
  /^Exit Code: (?<code>-?\d+)$/mu,
];

/** Returns the text of a call's failure; null unless the call is known to have failed. */
export function errorOf(event: EventNamed<"PostToolUse" | "PostToolUseFailure">): string | null {
  if (event.hook_event_name === "PostToolUseFailure") return event.error ?? "";
  const text = event.tool_response;
  if (typeof text !== "string") return null;
  const code = exitCodeIn(text);
  return code === null || code === 0 ? null : text.slice(-maxErrorLength);
}

/** Tests whether the absence of a failure means success. */
function isReported(event: EventNamed<"PostToolUse" | "PostToolUseFailure">): boolean {
  const { tool_response: response } = event.hook_event_name === "PostToolUse" ? event : {};
  // Claude Code reports objects, and failures by an event of their own.
  if (typeof response === "object" && response !== null) return true;
  return typeof response === "string" && exitCodeIn(response) === 0;
}

function exitCodeIn(text: string): number | null {
  for (const pattern of exitCodes) {
    const code = pattern.exec(text.slice(-maxErrorLength))?.groups?.["code"];
    if (code !== undefined) return Number(code);
  }
  return null;
}

/** Returns the same value for errors that differ only in numbers, times and addresses. */
function failureOf(error: string): string {
  const plain = error
    .slice(-maxErrorLength)
    .replaceAll(/0x[\da-f]+|\b[\da-f]{7,64}\b/giu, "#")
    .replaceAll(/\d+/gu, "0")
    .replaceAll(/\s+/gu, " ")
    .trim();
  return sha256Hex(plain, 16);
}
