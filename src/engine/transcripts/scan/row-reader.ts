import { JsonCursor } from "./json-cursor.ts";
import type { MessageFields } from "./message-fields.ts";
import { RowFields } from "./row-fields.ts";
import { endsWithText, isText, readTime } from "./text-bytes.ts";
import type { TextSpan } from "./text-span.ts";

/**
 * What a row is to the bulk scan: an API response, a compaction, nothing it wants (`other`), or a row it leaves out and
 * counts: an answer the agent made up itself (`synthetic`), a response without `message.id` (`unidentified`), or one that
 * is cut off, no JSON object, or has a figure that is none (`malformed`).
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

/**
 * Reads one line of a Claude Code transcript for the bulk scan. It makes no strings and no objects: its properties hold
 * the row's figures and the places of its texts until the next `read`. It accepts the JSON that `JSON.parse`
 * accepts; what stands inside strings and in other nested objects never counts.
 */
export class RowReader {
  /** Milliseconds since the epoch, or `NaN` when the row has no readable time. */
  at = Number.NaN;
  isSidechain = false;
  /** The row proves that a window of 1M tokens was asked for. */
  isLongContext = false;
  readonly #cursor = new JsonCursor();
  readonly #fields = new RowFields();
  #isNested = false;

  read(line: Buffer, start: number, end: number): RowKind {
    const cursor = this.#cursor;
    this.isLongContext = false;
    cursor.reset(line, start, end);
    const first = cursor.peek();
    if (first === -1) return "other";
    if (first !== 0x7b) return "malformed";
    this.#fields.read(cursor);
    const isWhole = cursor.isValid && cursor.peek() === -1;
    if (!isWhole || !this.#fields.type.isPresent) return "malformed";
    return this.#judge(cursor.bytes);
  }

  /** What the texts' places are places in. */
  get bytes(): Buffer {
    return this.#cursor.bytes;
  }

  get message(): MessageFields {
    return this.#isNested ? this.#fields.nestedMessage : this.#fields.message;
  }

  get requestId(): TextSpan {
    return this.#isNested ? this.#fields.nestedRequestId : this.#fields.requestId;
  }

  get sessionId(): TextSpan {
    return this.#fields.sessionId;
  }

  get cwd(): TextSpan {
    return this.#fields.cwd;
  }

  /** A fork's copy of its parent's row. */
  get isCopy(): boolean {
    return this.#fields.isForked;
  }

  /** Tokens; negative when the row does not say. */
  get preTokens(): number {
    return this.#fields.preTokens;
  }

  get postTokens(): number {
    return this.#fields.postTokens;
  }

  get trigger(): "auto" | "manual" | "unknown" {
    const { bytes } = this.#cursor;
    if (isText(bytes, this.#fields.trigger, autoTrigger)) return "auto";
    return isText(bytes, this.#fields.trigger, manualTrigger) ? "manual" : "unknown";
  }

  #judge(bytes: Buffer): RowKind {
    const { type } = this.#fields;
    if (isText(bytes, type, assistantType)) return this.#judgeAssistant(bytes);
    if (isText(bytes, type, progressType)) return this.#judgeProgress(bytes);
    if (isText(bytes, type, systemType)) return this.#judgeSystem(bytes);
    if (isText(bytes, type, requestType)) this.isLongContext = this.#fields.hasLongContextBeta;
    else if (isText(bytes, type, attachmentType)) {
      const { attachmentType: kind, attachmentModel } = this.#fields;
      this.isLongContext =
        isText(bytes, kind, modelAttachment) && endsWithText(bytes, attachmentModel, longContextSuffix);
    }
    return "other";
  }

  #judgeAssistant(bytes: Buffer): RowKind {
    const { message, requestId, requestedModel, isApiErrorMessage, timestamp } = this.#fields;
    const isWrong =
      message.state !== "present" ||
      message.isWrong ||
      requestId.state === "wrong" ||
      requestedModel.state === "wrong" ||
      isApiErrorMessage === "wrong";
    if (isWrong || this.#isPlaceWrong) return "malformed";
    if (isApiErrorMessage === "true") return "synthetic";
    this.#isNested = false;
    this.isSidechain = this.#fields.isSidechain === "true";
    this.at = readTime(bytes, timestamp);
    const kind = judgeMessage(bytes, message);
    if (kind !== "synthetic") this.isLongContext = endsWithText(bytes, requestedModel, longContextSuffix);
    return kind;
  }

  /** Old versions copy a subagent's rows into its parent's file. They are no part of the parent's main chain. */
  #judgeProgress(bytes: Buffer): RowKind {
    const { nestedMessage, nestedRequestId, nestedTimestamp, timestamp } = this.#fields;
    if (nestedMessage.usage.state === "absent") return "other";
    const isWrong = nestedMessage.isWrong || nestedRequestId.state === "wrong";
    if (isWrong || this.#isPlaceWrong) return "malformed";
    this.#isNested = true;
    this.isSidechain = true;
    this.at = readTime(bytes, nestedTimestamp.isPresent ? nestedTimestamp : timestamp);
    return judgeMessage(bytes, nestedMessage);
  }

  #judgeSystem(bytes: Buffer): RowKind {
    const { subtype, trigger, timestamp, isCompactMetadataWrong } = this.#fields;
    if (!isText(bytes, subtype, compactBoundary)) return "other";
    if (isCompactMetadataWrong || trigger.state === "wrong" || this.#isPlaceWrong) return "malformed";
    this.isSidechain = this.#fields.isSidechain === "true";
    this.at = readTime(bytes, timestamp);
    return "compaction";
  }

  get #isPlaceWrong(): boolean {
    const { sessionId, cwd, isSidechain } = this.#fields;
    return sessionId.state === "wrong" || cwd.state === "wrong" || isSidechain === "wrong";
  }
}

function judgeMessage(bytes: Buffer, { id, model, usage }: MessageFields): RowKind {
  if (isText(bytes, model, syntheticModel)) return "synthetic";
  if (usage.state === "absent") return "other";
  return id.isPresent && id.end > id.start ? "response" : "unidentified";
}
