import { isObject } from "../../base/parse.ts";
import { type ApiResponse, isZero } from "../../usage/api-response.ts";
import { textAt } from "../claude/message-parts.ts";
import type { TranscriptEvent } from "../agent-session.ts";
import { endsSubagent, isDone, toolCallsOf, type GeminiToolCall } from "./chat-calls.ts";
import type { GeminiMessage } from "./gemini-row-schema.ts";
import { countersOf, usageOf } from "./gemini-tokens.ts";

/** Facts from a chat file's path that its rows lack. */
export interface ChatOwner {
  readonly sessionId: string;
  /** The subagent that wrote the file; null for a session's own. */
  readonly agentId: string | null;
  /** Where the agent was started; null where its version does not record it. */
  readonly cwd: string | null;
}

/** The response that a message records; null without tokens, or before any message named a model. */
export function responseOf(
  { id, timestamp, tokens }: GeminiMessage,
  model: string | null,
  { sessionId, agentId, cwd }: ChatOwner,
): ApiResponse | null {
  if (tokens === null || tokens === undefined || model === null) return null;
  const counters = countersOf(tokens);
  if (isZero(counters)) return null;
  return {
    // The API's own id is not recorded.
    messageId: id,
    requestId: null,
    model,
    at: timestamp ?? null,
    usage: usageOf(counters),
    sessionId,
    cwd,
    isSidechain: agentId !== null,
  };
}

export function callEvents(calls: readonly GeminiToolCall[]): TranscriptEvent[] {
  return calls.flatMap((call): TranscriptEvent[] => {
    const { id, name, args, agentId } = call;
    const made: TranscriptEvent = { kind: "tool-call", id, tool: name, isCopy: false };
    if (endsSubagent(call))
      return [
        made,
        { kind: "subagent", type: null, description: null, finished: true },
        { kind: "turn-ended" },
      ];
    if (typeof agentId !== "string" || agentId === "") return [made];
    const type = textAt(isObject(args) ? args : null, "agent_name");
    const finished = isDone(call) ? true : null;
    return [made, { kind: "subagent", agentId, type, description: null, finished }];
  });
}

/** A message that is rewritten with its calls' results keeps its own time; the results have later times. */
export function lastTimeOf(row: GeminiMessage): number | null {
  const times = [row.timestamp, ...toolCallsOf(row).map(({ timestamp }) => timestamp)];
  const known = times.filter((at): at is number => typeof at === "number");
  return known.length === 0 ? null : Math.max(...known);
}
