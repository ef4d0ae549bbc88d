import type { JsonCursor } from "./json-cursor.ts";
import { KeySet } from "./key-set.ts";
import { MessageFields } from "./message-fields.ts";
import { startsWithText } from "./text-bytes.ts";
import { TextSpan } from "./text-span.ts";
import { readCounter, stateOfObject } from "./usage-fields.ts";

const rowKeys = new KeySet([
  "type",
  "subtype",
  "message",
  "requestId",
  "timestamp",
  "sessionId",
  "cwd",
  "isSidechain",
  "isApiErrorMessage",
  "requestedModel",
  "forkedFrom",
  "requestSessionId",
  "compactMetadata",
  "params",
  "attachment",
  "data",
]);
const compactKeys = new KeySet(["trigger", "preTokens", "postTokens"]);
const paramsKeys = new KeySet(["betas"]);
const attachmentKeys = new KeySet(["type", "identity"]);
const identityKeys = new KeySet(["modelId"]);
const dataKeys = new KeySet(["message"]);
const nestedKeys = new KeySet(["message", "requestId", "timestamp"]);
const longContextBeta = Buffer.from("context-1m");

type RowKey = NonNullable<ReturnType<typeof rowKeys.find>>;
export type Flag = "absent" | "true" | "false" | "wrong";

/** The members of a transcript row that the bulk scan may need, as they stand in it, not yet judged. */
export class RowFields {
  readonly type = new TextSpan();
  readonly subtype = new TextSpan();
  readonly requestId = new TextSpan();
  readonly timestamp = new TextSpan();
  readonly sessionId = new TextSpan();
  readonly cwd = new TextSpan();
  readonly requestedModel = new TextSpan();
  readonly message = new MessageFields();
  isSidechain: Flag = "absent";
  isApiErrorMessage: Flag = "absent";
  /** A fork's copy of its parent's row names the session that asked. */
  isForked = false;
  /** `data.message` of an old `progress` row: the subagent's own row. */
  readonly nestedMessage = new MessageFields();
  readonly nestedRequestId = new TextSpan();
  readonly nestedTimestamp = new TextSpan();
  readonly trigger = new TextSpan();
  /** Tokens; negative when the row does not say. */
  preTokens = -1;
  postTokens = -1;
  isCompactMetadataWrong = false;
  /** Of `params.betas`, one names a context of 1M tokens. */
  hasLongContextBeta = false;
  readonly attachmentType = new TextSpan();
  readonly attachmentModel = new TextSpan();

  readonly #element = new TextSpan();

  /** Reads the object the cursor stands at. Of members with one name the last counts, as in `JSON.parse`. */
  read(cursor: JsonCursor): void {
    this.#reset();
    cursor.enter();
    for (let name = cursor.member(rowKeys); name !== undefined; name = cursor.member(rowKeys)) {
      this.#readMember(cursor, name);
    }
  }

  #readMember(cursor: JsonCursor, name: RowKey): void {
    switch (name) {
      case "message": {
        this.message.read(cursor);
        return;
      }
      case "isSidechain":
        this.isSidechain = readFlag(cursor);
        return;
      case "isApiErrorMessage":
        this.isApiErrorMessage = readFlag(cursor);
        return;
      case "forkedFrom":
      case "requestSessionId":
        this.isForked = true;
        {
          cursor.skip();
          return;
        }
      case "compactMetadata": {
        this.#readCompactMetadata(cursor);
        return;
      }
      case "params": {
        this.#readParams(cursor);
        return;
      }
      case "attachment": {
        this.#readAttachment(cursor);
        return;
      }
      case "data": {
        this.#readData(cursor);
        return;
      }
      case "type":
      case "subtype":
      case "requestId":
      case "timestamp":
      case "sessionId":
      case "cwd":
      case "requestedModel":
        cursor.text(this[name]);
    }
  }

  #readCompactMetadata(cursor: JsonCursor): void {
    this.trigger.state = "absent";
    this.preTokens = this.postTokens = -1;
    const state = stateOfObject(cursor);
    this.isCompactMetadataWrong = state === "wrong";
    if (state !== "present") return;
    cursor.enter();
    for (let name = cursor.member(compactKeys); name !== undefined; name = cursor.member(compactKeys)) {
      if (name === "trigger") cursor.text(this.trigger);
      else this[name] = readCounter(cursor);
    }
  }

  #readParams(cursor: JsonCursor): void {
    this.hasLongContextBeta = false;
    if (stateOfObject(cursor) !== "present") return;
    cursor.enter();
    while (cursor.member(paramsKeys) !== undefined) this.#readBetas(cursor);
  }

  #readBetas(cursor: JsonCursor): void {
    this.hasLongContextBeta = false;
    if (cursor.peek() !== 0x5b) {
      cursor.skip();
      return;
    }
    cursor.enterArray();
    while (cursor.element()) {
      cursor.text(this.#element);
      if (startsWithText(cursor.bytes, this.#element, longContextBeta)) this.hasLongContextBeta = true;
    }
  }

  #readAttachment(cursor: JsonCursor): void {
    this.attachmentType.state = "absent";
    this.attachmentModel.state = "absent";
    if (stateOfObject(cursor) !== "present") return;
    cursor.enter();
    for (let name = cursor.member(attachmentKeys); name !== undefined; name = cursor.member(attachmentKeys)) {
      if (name === "type") cursor.text(this.attachmentType);
      else this.#readIdentity(cursor);
    }
  }

  #readIdentity(cursor: JsonCursor): void {
    this.attachmentModel.state = "absent";
    if (stateOfObject(cursor) !== "present") return;
    cursor.enter();
    while (cursor.member(identityKeys) !== undefined) cursor.text(this.attachmentModel);
  }

  #readData(cursor: JsonCursor): void {
    this.#resetNested();
    if (stateOfObject(cursor) !== "present") return;
    cursor.enter();
    while (cursor.member(dataKeys) !== undefined) this.#readNested(cursor);
  }

  #readNested(cursor: JsonCursor): void {
    this.#resetNested();
    if (stateOfObject(cursor) !== "present") return;
    cursor.enter();
    for (let name = cursor.member(nestedKeys); name !== undefined; name = cursor.member(nestedKeys)) {
      if (name === "message") this.nestedMessage.read(cursor);
      else cursor.text(name === "requestId" ? this.nestedRequestId : this.nestedTimestamp);
    }
  }

  #resetNested(): void {
    this.nestedMessage.reset();
    this.nestedRequestId.state = this.nestedTimestamp.state = "absent";
  }

  #reset(): void {
    this.type.state = this.subtype.state = this.requestId.state = this.timestamp.state = "absent";
    this.sessionId.state = this.cwd.state = this.requestedModel.state = this.trigger.state = "absent";
    this.attachmentType.state = this.attachmentModel.state = "absent";
    this.isSidechain = this.isApiErrorMessage = "absent";
    this.isForked = this.isCompactMetadataWrong = this.hasLongContextBeta = false;
    this.preTokens = this.postTokens = -1;
    this.message.reset();
    this.#resetNested();
  }
}

function readFlag(cursor: JsonCursor): Flag {
  const byte = cursor.peek();
  cursor.skip();
  if (byte === 0x74) return "true";
  if (byte === 0x66) return "false";
  return byte === 0x6e ? "absent" : "wrong";
}
