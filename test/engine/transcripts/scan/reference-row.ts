import * as z from "zod";
import { rowId, type LastCall } from "../../../../src/engine/usage/api-response.ts";
import type { PriceTerms } from "../../../../src/engine/usage/price-terms.ts";
import {
  readIterations,
  type ServerCall,
  readTerms,
} from "../../../../src/engine/transcripts/claude/row-usage.ts";
import type { TokenUsage } from "../../../../src/engine/usage/token-counts.ts";

/** The bulk scan's reading of a row, as a plain value. */
export type Reading =
  | { kind: "other" | "synthetic" | "unidentified" | "malformed"; longContext: boolean }
  | {
      kind: "response";
      longContext: boolean;
      messageId: string;
      requestId: string | null;
      model: string | null;
      at: number | null;
      usage: TokenUsage;
      sessionId: string | null;
      cwd: string | null;
      isSidechain: boolean;
      isCopy: boolean;
      terms: PriceTerms | null;
      lastCall: LastCall | null | "of one call";
      serverCalls: readonly ServerCall[];
    }
  | {
      kind: "compaction";
      longContext: boolean;
      at: number | null;
      trigger: "auto" | "manual" | "unknown";
      preTokens: number | null;
      postTokens: number | null;
      sessionId: string | null;
      isSidechain: boolean;
    };

const text = z.string().nullish();
const flag = z.boolean().nullish();
/** Adding 0 turns negative zero into zero. */
const tokens = z
  .int()
  .nonnegative()
  .transform((count) => count + 0);
const place = { sessionId: text, cwd: text, isSidechain: flag };
const usage = z.looseObject({
  input_tokens: tokens.nullish(),
  output_tokens: tokens.nullish(),
  cache_creation_input_tokens: tokens.nullish(),
  cache_read_input_tokens: tokens.nullish(),
  cache_creation: z
    .looseObject({ ephemeral_5m_input_tokens: tokens.nullish(), ephemeral_1h_input_tokens: tokens.nullish() })
    .nullish(),
  speed: z.unknown().optional(),
  inference_geo: z.unknown().optional(),
  service_tier: z.unknown().optional(),
  server_tool_use: z.unknown().optional(),
  iterations: z.unknown().optional(),
});
const message = z.looseObject({ id: text, model: text, usage: usage.nullish() });
const assistantRow = z.looseObject({
  ...place,
  message,
  requestId: text,
  requestedModel: text,
  isApiErrorMessage: flag,
  timestamp: z.unknown().optional(),
  forkedFrom: z.unknown().optional(),
  requestSessionId: z.unknown().optional(),
});
const progressRow = z.looseObject({ ...place, nested: z.looseObject({ message, requestId: text }) });
const compactRow = z.looseObject({
  ...place,
  compactMetadata: z
    .looseObject({
      trigger: text,
      preTokens: tokens.nullish().catch(null),
      postTokens: tokens.nullish().catch(null),
    })
    .nullish(),
  timestamp: z.unknown().optional(),
});
const anyObject = z.record(z.string(), z.unknown());

/** Reads a row the simple way: `JSON.parse` and a schema. The row reader must agree with it on everything. */
export function referenceRow(line: string): Reading {
  if (/^[ \t\n\r]*$/u.test(line)) return plain("other");
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return plain("malformed");
  }
  const object = anyObject.safeParse(value);
  if (!object.success || typeof object.data["type"] !== "string") return plain("malformed");
  const row = object.data;
  switch (row["type"]) {
    case "assistant":
      return readAssistant(row);
    case "progress":
      return readProgress(row);
    case "system":
      return row["subtype"] === "compact_boundary" ? readCompaction(row) : plain("other");
    case "api-request": {
      const betas = objectAt(row, "params")?.["betas"];
      const isLong = (beta: unknown) => typeof beta === "string" && beta.startsWith("context-1m");
      return plain("other", Array.isArray(betas) && betas.some(isLong));
    }
    case "attachment": {
      const attachment = objectAt(row, "attachment");
      const modelId = objectAt(attachment, "identity")?.["modelId"];
      const isLong =
        attachment?.["type"] === "model" && typeof modelId === "string" && modelId.endsWith("[1m]");
      return plain("other", isLong);
    }
    default:
      return plain("other");
  }
}

function readAssistant(row: z.infer<typeof anyObject>): Reading {
  const parsed = assistantRow.safeParse(row);
  if (!parsed.success) return plain("malformed");
  const { data } = parsed;
  if (data.isApiErrorMessage === true || data.message.model === "<synthetic>") return plain("synthetic");
  const longContext = [data.requestedModel, data.message.model].some((model) => model?.endsWith("[1m]"));
  return readMessage(data.message, longContext, {
    requestId: data.requestId === "" ? null : (data.requestId ?? null),
    uuid: textOf(row["uuid"]),
    advisorModel: textOf(row["advisorModel"]),
    at: timeOf(data.timestamp),
    sessionId: data.sessionId ?? null,
    cwd: data.cwd ?? null,
    isSidechain: data.isSidechain === true,
    isCopy: "forkedFrom" in row || "requestSessionId" in row,
  });
}

function readProgress(row: z.infer<typeof anyObject>): Reading {
  const nested = objectAt(objectAt(row, "data"), "message");
  const inner = objectAt(nested, "message");
  if ((inner?.["usage"] ?? null) === null) return plain("other");
  const parsed = progressRow.safeParse({ ...row, nested });
  if (!parsed.success || nested === undefined) return plain("malformed");
  const { data } = parsed;
  if (data.nested.message.model === "<synthetic>") return plain("synthetic");
  const ownTime = nested["timestamp"];
  return readMessage(data.nested.message, false, {
    requestId: data.nested.requestId === "" ? null : (data.nested.requestId ?? null),
    uuid: textOf(nested["uuid"]),
    advisorModel: null,
    at: timeOf(typeof ownTime === "string" ? ownTime : row["timestamp"]),
    sessionId: data.sessionId ?? null,
    cwd: data.cwd ?? null,
    isSidechain: true,
    isCopy: "forkedFrom" in row || "requestSessionId" in row,
  });
}

type Surroundings = Pick<
  Extract<Reading, { kind: "response" }>,
  "requestId" | "at" | "sessionId" | "cwd" | "isSidechain" | "isCopy"
> & { readonly uuid: string | null; readonly advisorModel: string | null };

function readMessage(
  { id, model, usage: counters }: z.infer<typeof message>,
  longContext: boolean,
  rest: Surroundings,
): Reading {
  if (!counters) return plain("other", longContext);
  const { uuid, advisorModel, ...where } = rest;
  const messageId = textOf(id) ?? rowId(rest.requestId, uuid);
  if (messageId === null) return plain("unidentified", longContext);
  const short = counters.cache_creation?.ephemeral_5m_input_tokens ?? 0;
  const long = counters.cache_creation?.ephemeral_1h_input_tokens ?? 0;
  const written = counters.cache_creation_input_tokens ?? short + long;
  const used = {
    input: counters.input_tokens ?? 0,
    output: counters.output_tokens ?? 0,
    cacheCreation5m: written - Math.min(long, written),
    cacheCreation1h: Math.min(long, written),
    cacheRead: counters.cache_read_input_tokens ?? 0,
  };
  const {
    lastCall,
    serverCalls,
    usage: summed,
  } = readIterations(counters, {
    model: model ?? null,
    usage: used,
    advisorModel: () => advisorModel,
  });
  return {
    kind: "response",
    longContext,
    messageId,
    model: model ?? null,
    ...where,
    usage: summed ?? used,
    terms: readTerms(counters) ?? null,
    lastCall: lastCall === undefined ? "of one call" : lastCall,
    serverCalls,
  };
}

function readCompaction(row: z.infer<typeof anyObject>): Reading {
  const parsed = compactRow.safeParse(row);
  if (!parsed.success) return plain("malformed");
  const { compactMetadata, timestamp, sessionId, isSidechain } = parsed.data;
  const trigger = compactMetadata?.trigger;
  return {
    kind: "compaction",
    longContext: false,
    at: timeOf(timestamp),
    trigger: trigger === "auto" || trigger === "manual" ? trigger : "unknown",
    preTokens: compactMetadata?.preTokens ?? null,
    postTokens: compactMetadata?.postTokens ?? null,
    sessionId: sessionId ?? null,
    isSidechain: isSidechain === true,
  };
}

function plain(kind: "other" | "synthetic" | "unidentified" | "malformed", longContext = false): Reading {
  return { kind, longContext };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function objectAt(row: z.infer<typeof anyObject> | undefined, key: string) {
  const parsed = anyObject.safeParse(row?.[key]);
  return parsed.success ? parsed.data : undefined;
}

function timeOf(value: unknown): number | null {
  const at = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}
