import type { ZodMiniType as ZodType } from "zod/mini";
import { clearedTokens } from "./message-parts.ts";
import { type ApiResponse, serverCallId, rowId, type Compaction } from "../../usage/api-response.ts";
import { parseJsonLine } from "../json-line.ts";
import { startsAgain } from "../records/recovered.ts";
import type { RowReading, TranscriptEvent } from "../agent-session.ts";
import {
  plainAsked,
  plainAssistant,
  plainAttachment,
  plainCommon,
  plainRequest,
  plainSystem,
  plainToolCall,
  plainUser,
} from "./plain-rows.ts";
import {
  anyRow,
  assistantRow,
  attachmentRow,
  costRow,
  hostRow,
  progressRow,
  requestRow,
  systemRow,
  titleRow,
  userRow,
  type AnyRow,
  type AssistantRow,
  type CostRow,
  type ProgressRow,
  type AttachmentRow,
  type SystemRow,
  type UserRow,
  quietTypes,
} from "./claude-row-schema.ts";
import { isNotified } from "./hook-rows.ts";
import { readIterations, readUsage, readTerms, termsOfServerCall } from "./row-usage.ts";

/**
 * Rows that hold whole prompts by hash: large, and not used for any figure yet. Recognised by their first bytes, not
 * parsed.
 */
const largePrefixes = ['{"type":"api-request-shape"', '{"type":"api-request-blob"'].map((prefix) =>
  Buffer.from(prefix),
);

/** A row may be long; stored parts of it are cut to these lengths. Characters. */
const maxTitleLength = 1000;
const maxTypeLength = 100;

/** The session id from the file's name; a fork's rows may still name the parent. */
export interface RowContext {
  readonly sessionId: string;
}

/**
 * Reads one line of a Claude Code transcript. Never throws: a line that is not JSON, or lacks what its type requires, is
 * malformed; one of an unrecognised type is unknown.
 */
export function readRow(line: Buffer, context: RowContext): RowReading {
  if (largePrefixes.some((prefix) => startsWith(line, prefix)) && !startsAgain(line, "claude"))
    return known([]);
  const parsedLine = parseJsonLine(line);
  if (parsedLine.kind === "value") return readRowValue(parsedLine.value, context);
  return parsedLine.kind === "blank" ? known([]) : { outcome: "malformed" };
}

/** Reads a line whose JSON is already parsed, for callers that need more of it than `readRow` returns. */
export function readRowValue(row: unknown, context: RowContext): RowReading {
  const typed = plainCommon(row) ?? anyRow.safeParse(row).data;
  if (typed === undefined) return { outcome: "malformed" };
  const { cwd, gitBranch, timestamp, isSidechain } = typed;
  const reading = readTyped(typed, row, context);
  if (reading.outcome !== "known") return reading;
  let { events } = reading;
  if (typeof cwd === "string") {
    const place: TranscriptEvent = { kind: "place", cwd, branch: gitBranch ?? null };
    events = events.length === 0 ? [place] : [place, ...events];
  }
  return { outcome: "known", at: timestamp ?? null, isSidechain: isSidechain === true, events };
}

function readTyped(typed: AnyRow, row: unknown, context: RowContext): RowReading {
  const { type } = typed;
  switch (type) {
    case "assistant":
      return read(plainAssistant(row, typed), assistantRow, row, (data) => readAssistant(data, context));
    case "user":
      return read(plainUser(row, typed), userRow, row, readUser);
    case "system":
      return read(plainSystem(row, typed), systemRow, row, readSystem);
    case "progress":
      return readProgress(progressRow.safeParse(row).data, context);
    case "attachment":
      return read(plainAttachment(row, typed), attachmentRow, row, readAttachment);
    case "api-request":
      return read(plainRequest(row), requestRow, row, ({ params }) =>
        typeof params.model === "string"
          ? [{ kind: "request", model: params.model, betas: params.betas ?? [] }]
          : [],
      );
    case "host-row":
      return parsed(hostRow, row, ({ ranByToolUseId: script, block: { type: kind, id } }) =>
        kind === "tool_use" && typeof id === "string" ? [{ kind: "nested-call", id, script }] : [],
      );
    // The next response's usage reports the size of the conversation.
    case "content-replacement":
      return known([]);
    case "cost-state":
      return parsed(costRow, row, readTotal);
    case "summary":
    case "ai-title":
    case "custom-title":
      return parsed(titleRow, row, ({ customTitle, aiTitle, summary, title }) => {
        const found = customTitle ?? aiTitle ?? summary ?? title;
        return typeof found === "string" ? [{ kind: "title", title: found.slice(0, maxTitleLength) }] : [];
      });
    default:
      return quietTypes.has(type) ? known([]) : { outcome: "unknown", type: type.slice(0, maxTypeLength) };
  }
}

function readUser({
  isMeta,
  isCompactSummary,
  turnOrigin,
  message,
  timestamp,
}: UserRow): readonly TranscriptEvent[] {
  if (isMeta === true || isCompactSummary === true) return [];
  const text = askedText(message?.content);
  if (text === undefined) return [];
  const at = timestamp ?? null;
  return [isNotified(turnOrigin, text) ? { kind: "notification", at } : { kind: "prompt", at, text }];
}

function readAttachment({ attachment, timestamp }: AttachmentRow): TranscriptEvent[] {
  const type = attachment?.type;
  if (type === "tool_results_cut")
    return [{ kind: "cleared", tokens: attachment?.roughTokens ?? null, at: timestamp ?? null }];
  if (type === "model") {
    const requestedModel = attachment?.identity?.modelId;
    return typeof requestedModel === "string" ? [{ kind: "model", requestedModel }] : [];
  }
  if (type === "token_usage") return [{ kind: "tokens-note", left: attachment?.remaining ?? null }];
  if (type !== "total_tokens_reminder") return [];
  const left = /(?<left>\d{1,15}) tokens left/u.exec(attachment?.text ?? "")?.groups?.["left"];
  return [{ kind: "tokens-note", left: left === undefined ? null : Number(left) }];
}

/** The notice after a compaction that began while the agent was idle. */
const idleNotice = /idle\s?compaction|compacted while idle|written while you were away/iu;

function readSystem({
  subtype,
  content,
  compactMetadata,
  microcompactMetadata,
  precomputed,
  timestamp,
}: SystemRow): TranscriptEvent[] {
  const at = timestamp ?? null;
  if (subtype === "informational")
    return idleNotice.test((content ?? "").slice(0, maxTitleLength)) ? [{ kind: "early-compaction" }] : [];
  if (subtype === "api_error") return [{ kind: "api-error", at }];
  if (subtype === "microcompact_boundary")
    return [{ kind: "cleared", tokens: microcompactMetadata?.tokensSaved ?? null, at }];
  if (subtype !== "compact_boundary") return [];
  const { trigger, preTokens, postTokens } = compactMetadata ?? {};
  const compaction: Compaction = {
    trigger: trigger === "auto" || trigger === "manual" ? trigger : "unknown",
    preTokens: preTokens ?? null,
    postTokens: postTokens ?? null,
    at,
    ...(precomputed === true || compactMetadata?.precomputed === true ? { isEarly: true } : {}),
  };
  return [{ kind: "compaction", compaction }];
}

function readAssistant(row: AssistantRow, context: RowContext): TranscriptEvent[] {
  const { message, requestedModel, timestamp } = row;
  const at = timestamp ?? null;
  if (row.isApiErrorMessage === true) return [{ kind: "api-error", at }];
  if (message.model === "<synthetic>") return [];
  const events: TranscriptEvent[] = [];
  if (typeof requestedModel === "string") events.push({ kind: "model", requestedModel });
  if (message.usage) {
    const isCopy = isCopied(row, context);
    const responses = responsesIn(row, { ...context, at });
    const endsTurn = message.stop_reason === "end_turn";
    const cleared = clearedTokens(message.context_management);
    for (const response of responses) {
      const isOwn = response === responses[0];
      const ofContext = isOwn && cleared !== undefined ? { cleared } : {};
      events.push({ kind: "response", response, isCopy, endsTurn: endsTurn && isOwn, ...ofContext });
    }
    if (responses.length > 0) addToolCalls(events, message.content, isCopy);
  }
  return events;
}

/** The row's response, then the calls that the API made by itself for it. Empty without an id. */
function responsesIn(
  { message, requestId, uuid, cwd, isSidechain, advisorModel }: AssistantRow,
  { sessionId, at }: RowContext & Pick<ApiResponse, "at">,
): ApiResponse[] {
  const request = textOrNull(requestId);
  const messageId = textOrNull(message.id) ?? rowId(request, textOrNull(uuid));
  if (messageId === null || !message.usage) return [];
  const own = readUsage(message.usage);
  const calls = readIterations(message.usage, {
    model: message.model ?? null,
    usage: own,
    advisorModel: () => textOrNull(advisorModel),
  });
  const { lastCall, serverCalls, usage = own } = calls;
  const terms = readTerms(message.usage);
  const model = message.model ?? "unknown";
  const common = { requestId: request, at, sessionId, cwd: cwd ?? null };
  const response: ApiResponse = {
    ...common,
    messageId,
    model,
    usage,
    isSidechain: isSidechain === true,
    ...(terms === undefined ? {} : { terms }),
    ...(lastCall === undefined ? {} : { lastCall }),
  };
  const others = serverCalls.map((call): ApiResponse => {
    const ofCall = termsOfServerCall(terms, call.model === null);
    return {
      ...common,
      messageId: serverCallId(messageId, call.type, call.number),
      model: call.model ?? model,
      usage: call.usage,
      isSidechain: true,
      ...(ofCall === undefined ? {} : { terms: ofCall }),
    };
  });
  return [response, ...others];
}

/** Null for a missing or an empty text. */
function textOrNull(text: string | null | undefined): string | null {
  return text === undefined || text === "" ? null : text;
}

function addToolCalls(events: TranscriptEvent[], content: unknown, isCopy: boolean): void {
  if (!Array.isArray(content)) return;
  const blocks: readonly unknown[] = content;
  for (const block of blocks) {
    const call = plainToolCall(block);
    if (call === null) continue;
    events.push({ kind: "tool-call", id: call.id, tool: call.name.slice(0, maxTypeLength), isCopy });
  }
}

function isCopied({ requestSessionId, forkedFrom }: AssistantRow, { sessionId }: RowContext): boolean {
  const isAnothers = typeof requestSessionId === "string" && requestSessionId !== sessionId;
  return isAnothers || (forkedFrom ?? null) !== null;
}

/** Reads a subagent's response in its parent's file. It does not belong to the parent's main chain. */
function readProgress(row: ProgressRow | undefined, context: RowContext): RowReading {
  if (row === undefined) return { outcome: "malformed" };
  const nested = row.data?.message;
  if ((nested?.message?.usage ?? null) === null) return known([]);
  const { cwd, requestSessionId, forkedFrom } = row;
  const { requestId, uuid, message } = nested ?? {};
  const timestamp = nested?.timestamp ?? row.timestamp;
  const response = {
    message,
    requestId,
    uuid,
    timestamp,
    cwd,
    requestSessionId,
    forkedFrom,
    isSidechain: true,
  };
  return parsed(assistantRow, response, (data) => readAssistant(data, context));
}

function readTotal({ totalCostUSD, modelUsage }: CostRow): TranscriptEvent[] {
  const models = Object.entries(modelUsage ?? {}).map(([model, total]) => ({
    model,
    usage: readUsage({
      input_tokens: total.inputTokens,
      output_tokens: total.outputTokens,
      cache_read_input_tokens: total.cacheReadInputTokens,
      cache_creation_input_tokens: total.cacheCreationInputTokens,
      cache_creation: { ephemeral_1h_input_tokens: total.cacheCreationEphemeral1hInputTokens },
    }),
  }));
  return [{ kind: "official-total", usd: totalCostUSD, models }];
}

/** The prompt's text; undefined for a row of tool results, which contains no prompt. */
function askedText(content: unknown): string | undefined {
  const asked = plainAsked(content);
  if (asked === undefined || typeof asked === "string") return asked;
  return asked.map(({ text }) => text ?? "").join(" ");
}

/** @param plain the row from the hand-written reader; null to use the schema */
function read<Row>(
  plain: Row | null,
  schema: ZodType<Row>,
  row: unknown,
  eventsOf: (row: Row) => readonly TranscriptEvent[],
): RowReading {
  return plain === null ? parsed(schema, row, eventsOf) : known(eventsOf(plain));
}

function parsed<Row>(
  schema: ZodType<Row>,
  row: unknown,
  read: (row: Row) => readonly TranscriptEvent[],
): RowReading {
  const result = schema.safeParse(row);
  return result.success ? known(read(result.data)) : { outcome: "malformed" };
}

function known(events: readonly TranscriptEvent[]): RowReading {
  return { outcome: "known", at: null, isSidechain: false, events };
}

function startsWith(line: Buffer, prefix: Buffer): boolean {
  return line.length > prefix.length && line.subarray(0, prefix.length).equals(prefix);
}
