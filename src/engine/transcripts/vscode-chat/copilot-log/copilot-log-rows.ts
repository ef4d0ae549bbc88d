import type { RowReading, TranscriptEvent } from "../../agent-session.ts";
import { parseJsonLine } from "../../json-line.ts";
import type { RowReader } from "../../live-reader.ts";
import { textAt } from "../../claude/message-parts.ts";
import { occupancy, usageOfWholeInput, type TokenUsage } from "../../../usage/token-counts.ts";
import { asksToCompact } from "../request-state.ts";
import { sentence } from "../../../base/language.ts";
import * as z from "zod/mini";
import { pickCounters, type Counters } from "../../../usage/api-response.ts";
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
type LogRow = z.infer<typeof logRow>;

const call = z.object({
  model: optionalText,
  inputTokens: maybeTokens,
  outputTokens: maybeTokens,
  cachedTokens: maybeTokens,
  /** The purpose of the call, since 2026-05; earlier logs have only calls of chats. */
  debugName: optionalText,
});

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

export interface LogRowsInput {
  readonly sessionId: string;
  readonly cwd: string | null;
  readonly role: "chat" | "subagent" | "helper";
  readonly windowOf: (model: string) => number | null;
}

const source = sentence("Copilot's list of models");
const noCache = sentence("this version of Copilot's log does not tell what was read from the cache");

/** Reads the lines of Copilot's log of a chat, or of a conversation beside it. */
export class LogRows implements RowReader {
  readonly #log: LogRowsInput;
  #isBegun = false;
  #model: string | null = null;
  #prompt = "";
  /** Tokens of the conversation's last call and its answer. */
  #context: number | null = null;

  constructor(log: LogRowsInput) {
    this.#log = log;
  }

  read(line: Buffer): RowReading {
    const parsed = parseJsonLine(line);
    if (parsed.kind === "blank") return known(null, []);
    const row = logRow.safeParse(parsed.kind === "value" ? parsed.value : undefined).data;
    const read = row && this.#eventsOf(row);
    if (row === undefined || read === undefined) return { outcome: "malformed" };
    const events = [...this.#begin(), ...read];
    // A title's call does not make yesterday's chat current.
    return known(this.#log.role === "helper" ? null : row.ts + (row.dur ?? 0), events);
  }

  #begin(): TranscriptEvent[] {
    const { cwd } = this.#log;
    if (this.#isBegun || cwd === null) return [];
    this.#isBegun = true;
    return [{ kind: "place", cwd, branch: null }];
  }

  #eventsOf(row: LogRow): TranscriptEvent[] | undefined {
    const { role } = this.#log;
    const attrs = row.attrs ?? null;
    const id = row.spanId ?? "";
    switch (row.type) {
      case "session_start": {
        if (role !== "subagent") return [];
        return [{ kind: "subagent", type: textAt(attrs, "label"), description: null, finished: null }];
      }
      case "user_message":
        if (role !== "chat") return [];
        this.#prompt = textAt(attrs, "content") ?? "";
        return [{ kind: "prompt", at: row.ts, text: this.#prompt }];
      case "tool_call":
        return id === "" ? [] : [{ kind: "tool-call", id, tool: row.name ?? "unknown", isCopy: false }];
      case "llm_request":
        return this.#call(row);
      default:
        return [];
    }
  }

  #call(row: LogRow): TranscriptEvent[] | undefined {
    const call = loggedCall(row);
    if (call === undefined) return undefined;
    const failed: TranscriptEvent[] = row.status === "error" ? [{ kind: "api-error", at: row.ts }] : [];
    if (call === null) return failed;
    const { role, sessionId, cwd } = this.#log;
    const isSidechain = role === "helper" || !call.isOfConversation;
    const { id: messageId, at, usage } = call;
    const response = { messageId, requestId: null, at, usage, sessionId, cwd, isSidechain };
    const compaction = role === "chat" && call.compacts ? [this.#compaction(at)] : [];
    if (!isSidechain) this.#context = occupancy(usage) + usage.output;
    return [
      ...failed,
      ...(isSidechain ? [] : this.#window(call.model)),
      ...(call.tellsCache ? [] : [{ kind: "untold", figure: "cache", reason: noCache } as const]),
      {
        kind: "response",
        response: { ...response, model: call.model ?? "unknown" },
        isCopy: false,
        endsTurn: false,
      },
      ...compaction,
    ];
  }

  #compaction(at: number): TranscriptEvent {
    const trigger = asksToCompact(this.#prompt) ? "manual" : "auto";
    return { kind: "compaction", compaction: { trigger, preTokens: this.#context, postTokens: null, at } };
  }

  #window(model: string | null): TranscriptEvent[] {
    if (model === null || model === this.#model) return [];
    this.#model = model;
    const tokens = this.#log.windowOf(model);
    return tokens === null ? [] : [{ kind: "window", tokens, source }];
  }
}

function known(at: number | null, events: readonly TranscriptEvent[]): RowReading {
  return { outcome: "known", isSidechain: false, at, events };
}
