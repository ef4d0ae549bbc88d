import * as z from "zod/mini";
import { pickCounters, type Counters } from "../../../usage/api-response.ts";
import { usageOfWholeInput, type TokenUsage } from "../../../usage/token-counts.ts";
import { epochTime, maybeTokens, optionalText } from "../../row-values.ts";

/**
 * Lines of Copilot's debug log of a chat, as far as purser reads them: no text of prompts, answers or tools. Source:
 * `chatDebugFileLoggerService.ts` in microsoft/vscode.
 */
export const logRow = z.object({
  type: z.string(),
  /** When the logged operation began, milliseconds since the epoch. */
  ts: epochTime,
  /** Its duration in milliseconds. */
  dur: z.catch(z.nullish(z.number().check(z.nonnegative())), null),
  name: optionalText,
  spanId: optionalText,
  status: optionalText,
  attrs: z.catch(z.nullish(z.looseObject({})), null),
});
export type LogRow = z.infer<typeof logRow>;

const call = z.object({
  model: optionalText,
  inputTokens: maybeTokens,
  outputTokens: maybeTokens,
  cachedTokens: maybeTokens,
  /** The purpose of the call, since 2026-05; earlier logs have only calls of chats. */
  debugName: optionalText,
});

/** One call of a model. */
export interface LoggedCall {
  readonly id: string;
  /** When its answer was complete. Milliseconds since the epoch. */
  readonly at: number;
  readonly model: string | null;
  readonly usage: TokenUsage;
  readonly raw: Counters;
  readonly tellsCache: boolean;
  /** Part of the conversation itself, such as a summary, and not a helper's. */
  readonly isOfConversation: boolean;
  /** Summarizes the conversation, which continues from the summary. */
  readonly compacts: boolean;
}

/**
 * Reads a line of type `llm_request`; null for a call that failed or has no token counts, and undefined for a malformed
 * one. The cached part is included in the input.
 */
export function loggedCall({ spanId, ts, dur, attrs }: LogRow): LoggedCall | null | undefined {
  const { data } = call.safeParse(attrs ?? {});
  if (data === undefined || spanId === null || spanId === undefined || spanId === "") return undefined;
  const { inputTokens: input, outputTokens: output, cachedTokens, model, debugName } = data;
  // The log has 0 for a model if its provider reports nothing.
  if (input === null || input === undefined || input === 0) return null;
  return {
    id: spanId,
    at: ts + (dur ?? 0),
    model: model === "unknown" ? null : (model ?? null),
    usage: usageOfWholeInput({
      input,
      output: output ?? 0,
      cacheRead: cachedTokens ?? 0,
      cacheCreation: 0,
    }),
    raw: pickCounters(data, ["inputTokens", "outputTokens", "cachedTokens"]),
    tellsCache: cachedTokens !== null && cachedTokens !== undefined,
    isOfConversation: !isHelper(debugName ?? ""),
    compacts: (debugName ?? "").startsWith("summarizeConversationHistory"),
  };
}

/** Calls for a conversation that do not continue it: its summary, its title, progress texts. */
function isHelper(debugName: string): boolean {
  return /summar|title|categor|progress|intent|rename|followup/iu.test(debugName);
}
