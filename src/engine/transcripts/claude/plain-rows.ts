import { isObject } from "../../base/parse.ts";
import type {
  AnyRow,
  AssistantRow,
  AttachmentRow,
  RequestParams,
  SystemRow,
  UsageRow,
  UserRow,
} from "./claude-row-schema.ts";
import type { RowObject } from "./message-parts.ts";

/**
 * Hand-written readers for the rows that make up nearly all of a transcript: ten times as fast as their schemas, with the
 * same result. They return null for anything unusual, which is left to the schema; a property test checks that both
 * agree.
 */

type Text = string | null | undefined;

/** Marks an optional member whose value has the wrong type. */
const strange = Symbol("strange");

export function plainCommon(row: unknown): AnyRow | null {
  if (!isObject(row)) return null;
  const { type } = row;
  const common = commonIn(row);
  return common === null || typeof type !== "string" ? null : { type, ...common };
}

/** @param read members that all rows have, if they were already read */
export function plainUser(row: unknown, read?: Common): UserRow | null {
  if (!isObject(row)) return null;
  const common = read ?? commonIn(row);
  const isMeta = flagIn(row["isMeta"]);
  const isCompactSummary = flagIn(row["isCompactSummary"]);
  const { message } = row;
  if (common === null || isMeta === strange || isCompactSummary === strange) return null;
  if (!isObject(message)) return null;
  const turnOrigin = textOrNull(row["turnOrigin"]);
  return { ...common, isMeta, isCompactSummary, turnOrigin, message: { content: message["content"] } };
}

/** @param read members that all rows have, if they were already read */
export function plainAssistant(row: unknown, read?: Common): AssistantRow | null {
  if (!isObject(row)) return null;
  const common = read ?? commonIn(row);
  const requestId = textIn(row["requestId"]);
  const requestedModel = textIn(row["requestedModel"]);
  const isApiErrorMessage = flagIn(row["isApiErrorMessage"]);
  const { message, forkedFrom } = row;
  if (common === null || requestId === strange || requestedModel === strange) return null;
  if (isApiErrorMessage === strange || !isObject(message)) return null;
  const id = textIn(message["id"]);
  const model = textIn(message["model"]);
  const usage = usageIn(message["usage"]);
  if (id === strange || model === strange || usage === strange) return null;
  return {
    ...common,
    uuid: idOrNull(row["uuid"]),
    requestId,
    requestedModel,
    advisorModel: textOrNull(row["advisorModel"]),
    isApiErrorMessage,
    requestSessionId: textOrNull(row["requestSessionId"]),
    forkedFrom,
    message: {
      id,
      model,
      stop_reason: textOrNull(message["stop_reason"]),
      content: message["content"],
      context_management: message["context_management"],
      usage,
    },
  };
}

/** Leaves a compaction's row to the schema. @param read members that all rows have, if they were already read */
export function plainSystem(row: unknown, read?: Common): SystemRow | null {
  if (!isObject(row)) return null;
  const common = read ?? commonIn(row);
  const subtype = textIn(row["subtype"]);
  const { compactMetadata, microcompactMetadata } = row;
  if (common === null || subtype === strange) return null;
  if ((compactMetadata ?? microcompactMetadata ?? null) !== null) return null;
  const precomputed = flagIn(row["precomputed"]);
  const flag = precomputed === strange ? null : precomputed;
  return { ...common, subtype, content: textOrNull(row["content"]), precomputed: flag };
}

/** Leaves a model's attachment to the schema. @param read members that all rows have, if they were already read */
export function plainAttachment(row: unknown, read?: Common): AttachmentRow | null {
  if (!isObject(row)) return null;
  const common = read ?? commonIn(row);
  const { attachment } = row;
  if (common === null || !isObject(attachment)) return null;
  const type = textIn(attachment["type"]);
  const { remaining, roughTokens, identity } = attachment;
  if (type === strange || (identity ?? null) !== null) return null;
  return {
    ...common,
    attachment: {
      type,
      text: textOrNull(attachment["text"]),
      remaining: numberOrNull(remaining),
      roughTokens: numberOrNull(roughTokens),
    },
  };
}

export function plainRequest(row: unknown): RequestParams | null {
  if (!isObject(row)) return null;
  const { params } = row;
  if (!isObject(params)) return null;
  const model = textIn(params["model"]);
  return model === strange ? null : { params: { model, betas: textsOrNull(params["betas"]) } };
}

type Common = Omit<AnyRow, "type">;

function commonIn(row: RowObject): Common | null {
  const sessionId = textIn(row["sessionId"]);
  const cwd = textIn(row["cwd"]);
  const isSidechain = flagIn(row["isSidechain"]);
  if (sessionId === strange || cwd === strange || isSidechain === strange) return null;
  const { timestamp } = row;
  return {
    sessionId,
    timestamp: typeof timestamp === "string" ? timeIn(timestamp) : null,
    cwd,
    gitBranch: textOrNull(row["gitBranch"]),
    isSidechain,
  };
}

function usageIn(usage: unknown): UsageRow | null | undefined | typeof strange {
  if (usage === null || usage === undefined) return usage;
  if (!isObject(usage)) return strange;
  const input = tokensIn(usage["input_tokens"]);
  const output = tokensIn(usage["output_tokens"]);
  const created = tokensIn(usage["cache_creation_input_tokens"]);
  const read = tokensIn(usage["cache_read_input_tokens"]);
  if (input === strange || output === strange || created === strange || read === strange) return strange;
  const counted = {
    input_tokens: input,
    output_tokens: output,
    cache_creation_input_tokens: created,
    cache_read_input_tokens: read,
    speed: usage["speed"],
    inference_geo: usage["inference_geo"],
    service_tier: usage["service_tier"],
    server_tool_use: usage["server_tool_use"],
    iterations: usage["iterations"],
  };
  const { cache_creation: lifetimes } = usage;
  if (lifetimes === null || lifetimes === undefined) return { ...counted, cache_creation: lifetimes };
  if (!isObject(lifetimes)) return strange;
  const short = tokensIn(lifetimes["ephemeral_5m_input_tokens"]);
  const long = tokensIn(lifetimes["ephemeral_1h_input_tokens"]);
  if (short === strange || long === strange) return strange;
  return {
    ...counted,
    cache_creation: { ephemeral_5m_input_tokens: short, ephemeral_1h_input_tokens: long },
  };
}

function textIn(value: unknown): Text | typeof strange {
  return value === null || value === undefined || typeof value === "string" ? value : strange;
}

function flagIn(value: unknown): boolean | null | undefined | typeof strange {
  return value === null || value === undefined || typeof value === "boolean" ? value : strange;
}

function tokensIn(value: unknown): number | null | undefined | typeof strange {
  if (value === null || value === undefined) return value;
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : strange;
}

/** Treats anything but a text as missing. */
function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** Treats anything but a text or a whole number as missing. */
function idOrNull(value: unknown): string | null {
  return typeof value === "number" && Number.isSafeInteger(value) ? String(value) : textOrNull(value);
}

/** Treats anything but a finite number as missing. */
function numberOrNull(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** Treats anything but a list of texts as missing. */
function textsOrNull(value: unknown): string[] | null {
  if (!Array.isArray(value)) return null;
  const texts: string[] = [];
  const all: readonly unknown[] = value;
  for (const each of all) {
    if (typeof each !== "string") return null;
    texts.push(each);
  }
  return texts;
}

function timeIn(text: string): number | null {
  const usual = usualTimes.read(text);
  const at = Number.isNaN(usual) ? Date.parse(text) : usual;
  return Number.isNaN(at) ? null : at;
}

/** A tool call's id and name, as `toolCall` reads them. */
export function plainToolCall(block: unknown): { readonly id: string; readonly name: string } | null {
  if (!isObject(block)) return null;
  const { type, id, name } = block;
  return type === "tool_use" && typeof id === "string" && id !== "" && typeof name === "string"
    ? { id, name }
    : null;
}

/** A prompt's content, as `askedContent` reads it; undefined for anything else. */
export function plainAsked(content: unknown): string | readonly { readonly text?: Text }[] | undefined {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  const blocks: { readonly text: Text }[] = [];
  const all: readonly unknown[] = content;
  for (const block of all) {
    if (!isObject(block)) return undefined;
    const { type } = block;
    const text = textIn(block["text"]);
    if (typeof type !== "string" || type === "tool_result" || text === strange) return undefined;
    blocks.push({ text });
  }
  return blocks;
}

/** A time as agents write it. */
const usual = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u;
/** The length of its day, with the `T`. */
const dayLength = 11;

/** Reads the times of rows. Nearly all are on the same day as the row before. */
export class UsualTimes {
  /** Initially not the start of any time. */
  #day = "-";
  #dayAt = Number.NaN;

  /** Milliseconds since the epoch, or `NaN`: `Date.parse` may read other forms. */
  read(text: string): number {
    if (!usual.test(text)) return Number.NaN;
    if (!text.startsWith(this.#day)) {
      this.#day = text.slice(0, dayLength);
      this.#dayAt = Date.parse(`${this.#day}00:00:00.000Z`);
    }
    const [hour, minute, second] = [pairAt(text, 11), pairAt(text, 14), pairAt(text, 17)];
    if (hour > 23 || minute > 59 || second > 59) return Number.NaN;
    const milliseconds = 10 * pairAt(text, 20) + (pairAt(text, 21) % 10);
    return this.#dayAt + ((hour * 60 + minute) * 60 + second) * 1000 + milliseconds;
  }
}

const usualTimes = new UsualTimes();

/** Two digits as a number. */
function pairAt(text: string, at: number): number {
  return 10 * text.charCodeAt(at) + text.charCodeAt(at + 1) - 528;
}
