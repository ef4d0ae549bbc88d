import { isObject, parseJson } from "../../base/parse.ts";
import { rowId, type LastCall } from "../../usage/api-response.ts";
import type { PriceTerms } from "../../usage/price.ts";
import { readIterations, type ServerCall, readTerms } from "../claude/row-usage.ts";
import { inMessage, inRow } from "./row-shape.ts";
import { RowValues } from "./slot-values.ts";
import { ShapeReader } from "./shape-reader.ts";

/**
 * How the bulk scan classifies a row: an API response, a compaction, one it does not need (`other`), or one it skips and
 * counts: an answer the agent made up itself (`synthetic`), a response without any id (`unidentified`), or one that is cut
 * off, not a JSON object, or has an invalid figure (`malformed`).
 */
export type RowKind = "response" | "compaction" | "other" | "synthetic" | "unidentified" | "malformed";

const ascii = (text: string) => Buffer.from(text);
const assistantType = ascii("assistant");
const progressType = ascii("progress");
const systemType = ascii("system");
const requestType = ascii("api-request");
const attachmentType = ascii("attachment");
const modelAttachment = ascii("model");
const compactBoundary = ascii("compact_boundary");
const syntheticModel = ascii("<synthetic>");
const longContextSuffix = ascii("[1m]");
const autoTrigger = ascii("auto");
const manualTrigger = ascii("manual");

/** Marks a response's usage where its price or its calls may be unusual. */
const unusual =
  /\\|"fast"|"us"|"US"|"batch"|"priority"|_requests"\s*:\s*(?!0\s*[,}])|\}\s*,\s*\{|"model"|"compaction"|"advisor/u;
const none: readonly ServerCall[] = [];

/**
 * Reads one line of a Claude Code transcript for the bulk scan. It makes no strings and no objects: its properties hold
 * the row's figures, and the slots of its texts in `values`, until the next `read`. It accepts the JSON that `JSON.parse`
 * accepts; the content of strings and of other nested objects is ignored.
 */
export class RowReader {
  /** Milliseconds since the epoch, or `NaN` when the row has no readable time. */
  at = Number.NaN;
  isSidechain = false;
  /** The row proves that a 1M-token window was requested. */
  isLongContext = false;
  /** Slots of a response's texts. `sessionId` and `cwd` apply to every row. */
  messageId = 0;
  requestId = 0;
  uuid = 0;
  model = 0;
  readonly sessionId = inRow.sessionId;
  readonly cwd = inRow.cwd;
  /** A response's tokens. */
  input = 0;
  output = 0;
  cacheCreation5m = 0;
  cacheCreation1h = 0;
  cacheRead = 0;
  /** The id of a response without a message id; null for others. */
  rowId: string | null = null;
  terms: PriceTerms | undefined;
  lastCall: LastCall | null | undefined;
  serverCalls = none;
  readonly values: RowValues;
  readonly #shapes: ShapeReader;
  /** Where the row is. */
  #line: Buffer = Buffer.alloc(0);
  #start = 0;
  #end = 0;

  constructor(values = new RowValues()) {
    this.values = values;
    this.#shapes = new ShapeReader(values);
  }

  read(line: Buffer, start: number, end: number): RowKind {
    const outcome = this.#shapes.read(line, start, end);
    if (outcome === "whole") return this.judge(line, start, end);
    this.isLongContext = false;
    return outcome === "blank" ? "other" : "malformed";
  }

  /** Classifies the row whose values have been read from this line. */
  judge(line: Buffer, start: number, end: number): RowKind {
    this.isLongContext = false;
    this.#line = line;
    this.#start = start;
    this.#end = end;
    const { values } = this;
    if (!values.has(inRow.type)) return "malformed";
    if (values.isText(inRow.type, assistantType)) return this.#judgeAssistant(values);
    if (values.isText(inRow.type, progressType)) return this.#judgeProgress(values);
    if (values.isText(inRow.type, systemType)) return this.#judgeSystem(values);
    if (values.isText(inRow.type, requestType)) this.isLongContext = values.has(inRow.longContextBeta);
    else if (values.isText(inRow.type, attachmentType)) {
      this.isLongContext =
        values.isText(inRow.attachmentType, modelAttachment) &&
        values.endsWith(inRow.modelId, longContextSuffix);
    }
    return "other";
  }

  /** A fork's copy of its parent's row. */
  get isCopy(): boolean {
    return this.values.has(inRow.isCopy);
  }

  /** A compaction's tokens, or null when the row does not record them. */
  get preTokens(): number | null {
    return this.values.has(inRow.preTokens) ? this.values.count(inRow.preTokens) : null;
  }

  get postTokens(): number | null {
    return this.values.has(inRow.postTokens) ? this.values.count(inRow.postTokens) : null;
  }

  get trigger(): "auto" | "manual" | "unknown" {
    if (this.values.isText(inRow.trigger, autoTrigger)) return "auto";
    return this.values.isText(inRow.trigger, manualTrigger) ? "manual" : "unknown";
  }

  #judgeAssistant(values: RowValues): RowKind {
    const isWrong =
      !values.has(inRow.message) ||
      isMessageWrong(values, inRow.message) ||
      isPlaceWrong(values) ||
      values.isWrong(inRow.requestId) ||
      values.isWrong(inRow.requestedModel) ||
      values.isWrong(inRow.isApiErrorMessage);
    if (isWrong) return "malformed";
    if (values.isTrue(inRow.isApiErrorMessage)) return "synthetic";
    this.requestId = inRow.requestId;
    this.uuid = inRow.uuid;
    this.isSidechain = values.isTrue(inRow.isSidechain);
    this.at = values.time(inRow.timestamp);
    const kind = this.#judgeMessage(values, inRow.message);
    if (kind !== "synthetic")
      this.isLongContext =
        values.endsWith(inRow.requestedModel, longContextSuffix) ||
        values.endsWith(this.model, longContextSuffix);
    return kind;
  }

  /** Old versions copy a subagent's rows into its parent's file. They do not belong to the parent's main chain. */
  #judgeProgress(values: RowValues): RowKind {
    const message = inRow.nestedMessage;
    const usage = message + inMessage.usage;
    if (!values.has(usage) && !values.isWrong(usage)) return "other";
    const isWrong =
      isMessageWrong(values, message) || isPlaceWrong(values) || values.isWrong(inRow.nestedRequestId);
    if (isWrong) return "malformed";
    this.requestId = inRow.nestedRequestId;
    this.uuid = inRow.nestedUuid;
    this.isSidechain = true;
    this.at = values.time(values.has(inRow.nestedTimestamp) ? inRow.nestedTimestamp : inRow.timestamp);
    return this.#judgeMessage(values, message);
  }

  #judgeSystem(values: RowValues): RowKind {
    if (!values.isText(inRow.subtype, compactBoundary)) return "other";
    const isWrong = values.isWrong(inRow.compactMetadata) || values.isWrong(inRow.trigger);
    if (isWrong || isPlaceWrong(values)) return "malformed";
    this.isSidechain = values.isTrue(inRow.isSidechain);
    this.at = values.time(inRow.timestamp);
    return "compaction";
  }

  #judgeMessage(values: RowValues, message: number): RowKind {
    this.messageId = message + inMessage.id;
    this.model = message + inMessage.model;
    if (values.isText(this.model, syntheticModel)) return "synthetic";
    if (!values.has(message + inMessage.usage)) return "other";
    this.rowId = null;
    if (!values.hasText(this.messageId)) {
      const [request, uuid] = [textIn(values, this.requestId), textIn(values, this.uuid)];
      this.rowId = rowId(request, uuid);
      if (this.rowId === null) return "unidentified";
    }
    this.input = values.count(message + inMessage.input);
    this.output = values.count(message + inMessage.output);
    this.cacheRead = values.count(message + inMessage.read);
    // A cache write's total is authoritative; its breakdown by lifetime is newer, and may be missing or disagree.
    const short = values.count(message + inMessage.created5m);
    const long = values.count(message + inMessage.created1h);
    const hasTotal = values.has(message + inMessage.created);
    const written = hasTotal ? values.count(message + inMessage.created) : short + long;
    this.cacheCreation1h = Math.min(long, written);
    this.cacheCreation5m = written - this.cacheCreation1h;
    this.terms = this.lastCall = undefined;
    this.serverCalls = none;
    const isEmpty = this.input + this.output + written + this.cacheRead === 0;
    if (isEmpty || values.has(message + inMessage.more))
      this.#readDetails(values, message + inMessage.usage, isEmpty);
    return "response";
  }

  /** Parses the few usages that have more members than tokens. */
  #readDetails(values: RowValues, slot: number, isEmpty: boolean): void {
    const json = values.json(slot);
    if (!(isEmpty && json.includes('"iterations"')) && !unusual.test(json)) return;
    const { input, output, cacheCreation5m, cacheCreation1h, cacheRead } = this;
    const sum = { input, output, cacheCreation5m, cacheCreation1h, cacheRead };
    const usage = parseJson(values.bytes.toString("utf8", values.start(slot), values.end(slot)));
    if (!isObject(usage)) return;
    this.terms = readTerms(usage);
    const model = values.has(this.model) ? values.text(this.model) : null;
    const calls = readIterations(usage, { model, usage: sum, advisorModel: () => this.#advisorModel() });
    this.lastCall = calls.lastCall;
    this.serverCalls = calls.serverCalls;
    Object.assign(this, calls.usage);
  }

  /** The advisor that the row names; null for none, and for a nested row. */
  #advisorModel(): string | null {
    const row = parseJson(this.#line.toString("utf8", this.#start, this.#end));
    const name = isObject(row) && row["type"] === "assistant" ? row["advisorModel"] : null;
    return typeof name === "string" && name !== "" ? name : null;
  }
}

/** Null for a missing or an empty text. */
function textIn(values: RowValues, slot: number): string | null {
  return values.hasText(slot) ? values.text(slot) : null;
}

function isMessageWrong(values: RowValues, message: number): boolean {
  for (let slot = message; slot <= message + inMessage.created1h; slot += 1) {
    if (values.isWrong(slot)) return true;
  }
  return false;
}

function isPlaceWrong(values: RowValues): boolean {
  return values.isWrong(inRow.sessionId) || values.isWrong(inRow.cwd) || values.isWrong(inRow.isSidechain);
}
