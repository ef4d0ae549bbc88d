import { cleanText } from "../../../base/text.ts";
import { type ApiResponse, isZero } from "../../../usage/api-response.ts";
import type { RowReading, TranscriptEvent } from "../../agent-session.ts";
import { parseJsonLine } from "../../json-line.ts";
import type { RowReader } from "../../live-reader.ts";
import { Accounting, rateLimitsIn, countersOf, usageOf, NumberNames } from "../accounting.ts";
import {
  isQuiet,
  anyRow,
  modelData,
  placeData,
  resumeData,
  startData,
  titleData,
  usageData,
  type UsageData,
} from "../copilot-row-schema.ts";
import {
  anyData,
  assistantMessage,
  subagentEvent,
  toolComplete,
  toolRequest,
  toolStart,
  userMessage,
  userTool,
} from "../work-rows.ts";
import { CompactionRows, type SessionState } from "./compaction-rows.ts";
import { sentence } from "../../../base/language.ts";
import { startsAgain } from "../../records/recovered.ts";

/** A row may be long; stored parts of it are cut to these lengths. Characters. */
const maxTextLength = 1000;
const maxTypeLength = 100;

const usageUntold = sentence(
  "this version of Copilot CLI writes the usage of single responses into its session store only, which cannot be read here",
);

const nothing: RowReading = { outcome: "known", isSidechain: false, at: null, events: [] };

interface Row {
  readonly at: number | null;
  readonly id: string | null;
  readonly agentId: string | null;
}

/** The session, and the state that the row reader needs in addition to the rows. */
interface SessionOfRows {
  readonly sessionId: string;
  readonly state: SessionState;
  /** Whether the session store, with the usage that older versions' events lack, can be read. */
  readonly hasStore: () => boolean;
}

/** Reads a session's `events.jsonl`, which holds the rows of its subagents too. */
export class EventRows implements RowReader {
  readonly #session: SessionOfRows;
  readonly #names = new NumberNames();
  readonly #accounting = new Accounting();
  readonly #keys = new Set<string>();
  readonly #compactions: CompactionRows;
  readonly #users = new Set<string>();
  #model: string | null = null;

  constructor(session: SessionOfRows) {
    this.#session = session;
    this.#compactions = new CompactionRows(this.#names);
    session.state.reset();
  }

  read(line: Buffer): RowReading {
    if (isBulk(line, this.#session.state)) return nothing;
    const parsed = parseJsonLine(line);
    if (parsed.kind === "blank") return nothing;
    const row = anyRow.safeParse(parsed.kind === "value" ? parsed.value : undefined).data;
    if (row === undefined) return { outcome: "malformed" };
    const { type, data, timestamp: at = null, id = null } = row;
    const agentId = agentOf(type, row.agentId ?? null, data);
    const events = this.#events(type, data, { at, id, agentId });
    if (events === "malformed") return { outcome: "malformed" };
    if (events === "unknown") return { outcome: "unknown", type: type.slice(0, maxTypeLength) };
    return { outcome: "known", isSidechain: false, at, events, ...(agentId === null ? {} : { agentId }) };
  }

  #events(type: string, data: unknown, row: Row): readonly TranscriptEvent[] | "malformed" | "unknown" {
    switch (type) {
      case "session.start":
        return this.#began(startData.safeParse(data).data);
      case "session.resume":
        return this.#began(resumeData.safeParse(data).data);
      case "session.context_changed":
        return this.#moved(placeData.safeParse(data).data);
      case "session.model_change": {
        const change = modelData.safeParse(data).data;
        return change === undefined ? "malformed" : this.#asks(change.newModel, row.agentId);
      }
      case "session.title_changed": {
        const title = titleData.safeParse(data).data?.title;
        return title === undefined ? "malformed" : [{ kind: "title", title: title.slice(0, maxTextLength) }];
      }
      case "session.usage_record":
        return this.#used(usageData.safeParse(data).data?.usage, row);
      case "session.compaction_start":
        this.#compactions.started(data);
        return [];
      case "session.compaction_complete":
        return this.#compactions.completed(data, { ...row, ...this.#place(), model: this.#model });
      case "session.error":
        return [{ kind: "api-error", at: row.at }, { kind: "turn-ended" }];
      case "abort":
      case "session.shutdown":
        return [{ kind: "turn-ended" }];
      default:
        return this.#work(type, data, row) ?? (isQuiet(type) ? [] : "unknown");
    }
  }

  /** Rows about the conversation. Undefined for any other row; a row of an unexpected form yields no events. */
  #work(type: string, data: unknown, row: Row): readonly TranscriptEvent[] | undefined {
    switch (type) {
      case "user.message":
        return prompted(data, row);
      case "assistant.turn_start":
        return row.agentId === null
          ? []
          : [{ kind: "subagent", type: null, description: null, finished: false }];
      case "assistant.message":
        return this.#replied(data, row);
      case "tool.user_requested":
        this.#users.add(userTool.safeParse(data).data?.toolCallId ?? "");
        return [];
      case "tool.execution_start":
        return this.#calls([toolStart.safeParse(data).data]);
      case "tool.execution_complete":
        return this.#estimated(data);
      case "subagent.started":
      case "subagent.completed":
      case "subagent.failed":
        return row.agentId === null ? [] : [subagentFacts(type, data)];
      default:
        return undefined;
    }
  }

  #began(start: { selectedModel?: string | null | undefined; context?: Place } | undefined) {
    if (start === undefined) return "malformed";
    return [...this.#asks(start.selectedModel ?? null, null), ...this.#placed(start.context)];
  }

  #moved(place: Exclude<Place, null | undefined> | undefined) {
    return place === undefined ? "malformed" : this.#placed(place);
  }

  #placed(place: Place): TranscriptEvent[] {
    const cwd = place?.cwd ?? this.#session.state.cwd;
    if (place === null || place === undefined || cwd === null) return [];
    this.#session.state.cwd = cwd;
    return [{ kind: "place", cwd, branch: place.branch ?? null }];
  }

  #asks(model: string | null, agentId: string | null): TranscriptEvent[] {
    if (model === null) return [];
    if (agentId === null) this.#model = model;
    return [{ kind: "model", requestedModel: model }];
  }

  #used(usage: UsageData | undefined, { at, id, agentId }: Row): readonly TranscriptEvent[] | "malformed" {
    if (usage === undefined) return "malformed";
    const counters = countersOf(usage);
    // A failed call has no usage.
    if (isZero(counters)) return [];
    const { sessionId, state } = this.#session;
    const { usedBy, key, isReplay } = this.#accounting.read(usage, { sessionId, agentId, id });
    if (key !== null && this.#keys.has(key)) return [];
    if (key !== null) this.#keys.add(key);
    state.hasUsage = true;
    state.firstUsageAt ??= at;
    const tokens = usageOf(counters);
    const response: ApiResponse = {
      messageId: this.#names.next(usedBy, tokens),
      requestId: null,
      model: usage.model ?? this.#model ?? "unknown",
      at,
      usage: tokens,
      ...this.#place(),
      isSidechain: agentId !== null,
    };
    const window = usage.maxPromptTokens ?? 0;
    const cachedSeconds = usage.cacheTtlSeconds ?? 0;
    const limits = rateLimitsIn(usage.quotaSnapshots, at);
    return [
      { kind: "response", response, isCopy: isReplay, endsTurn: usage.finishReason === "stop" },
      ...(window === 0
        ? []
        : [
            {
              kind: "window",
              tokens: window,
              source: sentence("maxPromptTokens in the session's events"),
            } as const,
          ]),
      ...(cachedSeconds === 0 ? [] : [{ kind: "cache-life", ms: cachedSeconds * 1000 } as const]),
      ...(limits.length === 0 ? [] : [{ kind: "plan-limits", limits } as const]),
    ];
  }

  #replied(data: unknown, { agentId }: Row): readonly TranscriptEvent[] {
    const { toolRequests } = assistantMessage.safeParse(data).data ?? {};
    const calls = (toolRequests ?? []).map((request) => {
      const call = toolRequest.safeParse(request).data;
      return call === undefined ? undefined : { toolCallId: call.toolCallId, toolName: call.name };
    });
    const { state, hasStore } = this.#session;
    const isUnknown = agentId === null && !state.hasUsage && !hasStore();
    return [
      ...(isUnknown ? [{ kind: "untold", figure: "usage", reason: usageUntold } as const] : []),
      ...this.#calls(calls),
    ];
  }

  #calls(calls: readonly ({ toolCallId: string; toolName: string } | undefined)[]): TranscriptEvent[] {
    const { isCopying: isCopy } = this.#accounting;
    return calls.flatMap((call): TranscriptEvent[] =>
      call === undefined || this.#users.has(call.toolCallId)
        ? []
        : [{ kind: "tool-call", id: call.toolCallId, tool: call.toolName.slice(0, maxTypeLength), isCopy }],
    );
  }

  /** Versions without usage records report the window, and an estimate of the context, only after each tool. */
  #estimated(data: unknown): readonly TranscriptEvent[] {
    if (this.#session.state.hasUsage) return [];
    const metrics = toolComplete.safeParse(data).data?.toolTelemetry?.metrics;
    const [window, tokens] = [metrics?.context_token_limit ?? 0, metrics?.context_current_tokens ?? 0];
    const events: TranscriptEvent[] = [];
    if (window > 0)
      events.push({
        kind: "window",
        tokens: window,
        source: sentence("context_token_limit in the session's events"),
      });
    if (tokens > 0 && !this.#session.hasStore())
      events.push({
        kind: "context",
        tokens,
        source: sentence("the agent's own estimate, after its last tool"),
      });
    return events;
  }

  #place(): Pick<ApiResponse, "sessionId" | "cwd"> {
    const { sessionId, state } = this.#session;
    return { sessionId, cwd: state.cwd };
  }
}

type Place = { cwd?: string | null | undefined; branch?: string | null | undefined } | null | undefined;

/** Before rows had an `agentId`, those of a subagent named the call that started it. */
function agentOf(type: string, agentId: string | null, data: unknown): string | null {
  if (agentId !== null) return agentId;
  if (type === "session.usage_record") return usageData.safeParse(data).data?.usage.parentToolCallId ?? null;
  const parent = anyData.safeParse(data).data?.parentToolCallId ?? null;
  if (parent !== null || !type.startsWith("subagent.")) return parent;
  return subagentEvent.safeParse(data).data?.toolCallId ?? null;
}

/** A message sent while the agent works belongs to the current prompt. */
function prompted(data: unknown, { at }: Row): readonly TranscriptEvent[] {
  const { content, delivery } = userMessage.safeParse(data).data ?? {};
  if (delivery === "steering") return [];
  return [{ kind: "prompt", at, text: (content ?? "").slice(0, maxTextLength) }];
}

function subagentFacts(type: string, data: unknown): TranscriptEvent {
  const { agentName, agentDescription } = subagentEvent.safeParse(data).data ?? {};
  return {
    kind: "subagent",
    type: shortened(agentName),
    description: shortened(agentDescription),
    finished: type !== "subagent.started",
  };
}

function shortened(text: string | null | undefined): string | null {
  const cleaned = cleanText((text ?? "").slice(0, maxTextLength));
  return cleaned === "" ? null : cleaned;
}

/** Rows with prompts, thoughts and outputs of hooks: many or large, and without any figure. */
const unused =
  /^\{"type":"(?:system\.message"|model\.|hook\.|permission\.|assistant\.(?:turn_end|reasoning)")/u;
/** Rows with whole outputs of tools. They are needed only until a row has reported usage. */
const outputs = '{"type":"tool.execution_complete"';
/** Enough for either. Bytes. */
const maxLength = 40;

/** Recognises rows without a figure by their first bytes, as the agent writes them, without parsing them. */
function isBulk(line: Buffer, { hasUsage }: { readonly hasUsage: boolean }): boolean {
  const start = line.toString("latin1", 0, maxLength);
  const isOne = unused.test(start) || (hasUsage && start.startsWith(outputs));
  return isOne && !startsAgain(line, "copilot");
}
