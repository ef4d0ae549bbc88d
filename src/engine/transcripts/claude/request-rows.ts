import { messageParts, shapeParts, type Parts } from "./message-parts.ts";
import { countAt, listAt, objectAt, textAt, type RowObject } from "./row-fields.ts";

/** What the agent is about to send: its messages by hash, those of an earlier request first. */
export interface RequestRow {
  readonly id: string;
  readonly shapeHash: string | null;
  /** The request whose first `keep` messages begin this one, or null when it begins with `tail`. */
  readonly base: string | null;
  readonly keep: number;
  readonly tail: readonly string[];
}

/** What a hash stands for. */
export interface HashedParts {
  readonly hash: string;
  readonly parts: Parts;
}

/** @param row of type `api-request`. Null where it does not say what it was made of. */
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
 * @param toolOf the name of the tool that a call's id belongs to
 */
export function readBlobRow(
  row: RowObject,
  toolOf: (callId: string) => string | undefined,
): HashedParts | null {
  const hash = textAt(row, "hash");
  const message = objectAt(row, "message");
  return hash === null || message === null ? null : { hash, parts: messageParts(message, toolOf) };
}
