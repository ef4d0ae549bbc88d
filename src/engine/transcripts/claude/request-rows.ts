import { messageParts, shapeParts, type Parts } from "./message-parts.ts";
import { countAt, listAt, objectAt, textAt, type RowObject } from "./row-fields.ts";

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

/** @param row of type `api-request-shape` */
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
