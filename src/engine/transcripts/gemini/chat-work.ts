import { isObject } from "../../base/parse.ts";
import type { AgentActivity } from "../agent-session.ts";
import { objectAt, textAt } from "../claude/message-parts.ts";
import { sizeOf } from "../row-values.ts";
import { WorkLists, WorkLog, type NewCall } from "../work-log.ts";
import {
  promptText,
  textChars,
  endsSubagent,
  isDone,
  toolCallsOf,
  type GeminiToolCall,
} from "./message-content.ts";

export interface WorkMessage {
  readonly id: string;
  readonly type: string | null;
  readonly at: number | null;
  /** Characters of its text; 0 for a message that only carries tool results. */
  readonly chars: number;
  /** A person wrote it: checkpoints also store the agent's own messages under a person's name. */
  readonly isPrompt: boolean;
  readonly calls: readonly ReportedCall[];
}

interface ReportedCall {
  readonly called: NewCall;
  readonly at: number | null;
  readonly resultChars: number | null;
  readonly isError: boolean | null;
  /** The subagent signals with this call that it is done. */
  readonly isLast: boolean;
}

/** Characters. */
const maxToolLength = 100;

/** @param isCheckpoint whether it is from a list of all messages, which the agent writes when it changed them */
export function workMessage(
  message: { readonly id: string; readonly [key: string]: unknown },
  about: { readonly type: string | null; readonly at: number | null; readonly isCheckpoint: boolean },
): WorkMessage {
  const { type, at, isCheckpoint } = about;
  const chars = textChars(message["content"]);
  const isPrompt = type === "user" && !isCheckpoint && promptText(message) !== null;
  const calls = toolCallsOf(message).map(reportedCall);
  return { id: message.id, type, at, chars, isPrompt, calls };
}

/**
 * The turns and calls in a session's messages, in the order they were first written.
 *
 * @param indexes indexes of the responses in the session's records, by message id
 */
export function workOf(messages: Iterable<WorkMessage>, indexes: ReadonlyMap<string, number>): AgentActivity {
  const lists = new WorkLists();
  const log = new WorkLog(null, lists);
  for (const { id, type, at, chars, isPrompt, calls } of messages) {
    const moment = { at, origin: "own" } as const;
    if (isPrompt) {
      log.startTurn(id, moment, false);
      log.addPrompt(chars, moment);
    } else if (type === "error") log.markFailed(at);
    if (type !== "gemini") continue;
    const record = indexes.get(id) ?? null;
    if (record !== null) log.addResponse(record, moment);
    log.addReply(chars > 0, at);
    for (const call of calls) {
      // A call is written when it is done, and again when more is known about it.
      log.addCall(call.called, { at: call.at ?? at, origin: "own" }, record);
      const { resultChars, isError } = call;
      log.updateCall(call.called.id ?? "", { resultChars, isError });
      if (resultChars !== null) log.addResult(call.at ?? at);
    }
    log.forgetPending();
    if (calls.some(({ isLast }) => isLast)) log.addReply(true, at);
  }
  return { ...lists.snapshot(), compactions: [], parts: [] };
}

function reportedCall(call: GeminiToolCall): ReportedCall {
  const { id, name, args, result, status, timestamp, displayName } = call;
  const input = isObject(args) ? args : null;
  const path = textAt(input, "file_path") ?? textAt(input, "absolute_path");
  return {
    called: {
      id,
      tool: name.slice(0, maxToolLength),
      // The name alone does not show where the server's name ends.
      server: /\((.{1,200}) MCP Server\)$/u.exec(displayName ?? "")?.[1] ?? null,
      skill: name === "activate_skill" ? textAt(input, "name") : null,
      inputChars: sizeOf(args),
      reads: name === "run_shell_command" ? null : name === "read_file" && path !== null ? [path] : [],
    },
    at: timestamp ?? null,
    resultChars: result === undefined || result === null ? null : resultChars(result),
    isError: isDone(call) ? status !== "success" : null,
    isLast: endsSubagent(call),
  };
}

/** Characters sent back to the model: the texts of the response, and of the parts beside it. */
function resultChars(result: unknown): number {
  const parts: unknown[] = Array.isArray(result) ? result : [result];
  return parts.reduce<number>((sum, part) => {
    if (!isObject(part)) return sum + (typeof part === "string" ? part.length : 0);
    const response = objectAt(objectAt(part, "functionResponse"), "response");
    const text = textAt(response, "output") ?? textAt(response, "error") ?? response;
    return sum + (sizeOf(text) ?? 0) + textChars(part);
  }, 0);
}
