import { isObject } from "../../base/parse.ts";
import { toolKind, type ToolKind } from "../tool-kind.ts";
import {
  toolName,
  contentText,
  listAt,
  objectAt,
  textAt,
  type RowObject,
  type Parts,
  shapeParts,
  messageParts,
  countAt,
} from "./message-parts.ts";

/** A tool call. Its texts come from the agent: they are data, of any length. */
export interface WorkCall {
  readonly id: string;
  readonly tool: string;
  readonly kind: ToolKind;
  readonly input: RowObject;
  /** The file it reads or changes, or null. */
  readonly file: string | null;
}

/** The result of a call. */
interface WorkResult {
  readonly id: string;
  readonly isError: boolean;
  /** Its texts, one per line; images are left out. */
  readonly text: string;
}

/** An agent's work recorded in one transcript row. A streamed response has one row per block. */
export interface RowWork {
  /**
   * Id of the response, which identifies the turn. Null for a row of results, a row without an id, and a script's call.
   */
  readonly messageId: string | null;
  readonly texts: readonly string[];
  readonly calls: readonly WorkCall[];
  readonly results: readonly WorkResult[];
}

/** Reads what an agent wrote, called and received. A row needs no member: parts of another form are left out. */
export function readWork(row: RowObject): RowWork {
  const message = objectAt(row, "message");
  const content = message?.["content"];
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : listAt(message, "content");
  const isReply = row["type"] === "assistant";
  const objects: readonly RowObject[] = blocks.filter(isObject);
  return {
    messageId: isReply && row["isVirtual"] !== true ? textAt(message, "id") : null,
    texts: isReply ? objects.flatMap(textsIn) : [],
    calls: objects.flatMap(callIn),
    results: objects.flatMap(resultIn),
  };
}

function textsIn({ type, text }: RowObject): string[] {
  return type === "text" && typeof text === "string" ? [text] : [];
}

function callIn(block: RowObject): WorkCall[] {
  const id = textAt(block, "id");
  if (block["type"] !== "tool_use" || id === null) return [];
  const name = textAt(block, "name") ?? "";
  const input = objectAt(block, "input") ?? {};
  const file = textAt(input, "file_path") ?? textAt(input, "notebook_path");
  return [{ id, tool: toolName(name), kind: toolKind(name), input, file }];
}

function resultIn(block: RowObject): WorkResult[] {
  const id = textAt(block, "tool_use_id");
  if (block["type"] !== "tool_result" || id === null) return [];
  return [{ id, isError: block["is_error"] === true, text: contentText(block["content"]) }];
}

/** A request about to be sent: the hashes of its messages, those shared with an earlier request first. */
export interface RequestRow {
  readonly id: string;
  readonly shapeHash: string | null;
  /** The request whose first `keep` messages begin this one, or null when it begins with `tail`. */
  readonly base: string | null;
  readonly keep: number;
  readonly tail: readonly string[];
}

/** The parts behind a hash. */
export interface HashedParts {
  readonly hash: string;
  readonly parts: Parts;
}

/** @param row of type `api-request`. Returns null when its content is missing. */
export function readRequestRow(row: RowObject): RequestRow | null {
  const id = textAt(row, "id");
  const tail = listAt(row, "tail");
  if (id === null || !Array.isArray(row["tail"])) return null;
  const hashes = tail.filter((hash) => typeof hash === "string");
  if (hashes.length !== tail.length) return null;
  return {
    id,
    shapeHash: textAt(row, "shapeHash"),
    base: textAt(row, "base"),
    keep: countAt(row, "keep") ?? 0,
    tail: hashes,
  };
}

export function readShapeRow(row: RowObject): HashedParts | null {
  const hash = textAt(row, "shapeHash");
  const shape = objectAt(row, "shape");
  return hash === null || shape === null ? null : { hash, parts: shapeParts(shape) };
}

/**
 * @param row of type `api-request-blob`
 * @param toolOf the tool name for a call's id
 */
export function readBlobRow(
  row: RowObject,
  toolOf: (callId: string) => string | undefined,
): HashedParts | null {
  const hash = textAt(row, "hash");
  const message = objectAt(row, "message");
  return hash === null || message === null ? null : { hash, parts: messageParts(message, toolOf) };
}
