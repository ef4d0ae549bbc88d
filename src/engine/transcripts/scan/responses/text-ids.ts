import { isObject, parseJson } from "../../../base/parse.ts";
import { objectAt, type RowObject } from "../../claude/message-parts.ts";

/** Any member's name may be escaped. */
const numberedId = /"(?:id|requestId|uuid)"\s*:\s*-?\d|\\u/u;
const ids = ["id", "requestId", "uuid"];

/**
 * Returns a row with its ids as texts where a gateway wrote numbers, and without the message's content; null for any
 * other line.
 */
export function withTextIds(line: Buffer): Buffer | null {
  if (!numberedId.test(line.toString("latin1"))) return null;
  const row = parseJson(line.toString("utf8"));
  if (!isObject(row)) return null;
  const nested = row["type"] === "progress" ? objectAt(objectAt(row, "data"), "message") : null;
  const parts = [row, nested, objectAt(row, "message"), objectAt(nested, "message")];
  if (!parts.some((part) => part !== null && ids.some((id) => Number.isSafeInteger(part[id])))) return null;
  const mended = nested === null ? withTexts(row) : { ...row, data: { message: withTexts(nested) } };
  try {
    return Buffer.from(JSON.stringify(mended, stillWrong));
  } catch {
    // Nested deeper than the stack allows: agents write no such row.
    return null;
  }
}

/** A number that JSON cannot write would become null. */
function stillWrong(_: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
}

/** The ids of a row and of its message. */
function withTexts(row: RowObject): RowObject {
  const message = objectAt(row, "message");
  if (message === null) return withOwnTexts(row);
  return { ...withOwnTexts(row), message: { ...withOwnTexts(message), content: undefined } };
}

function withOwnTexts(row: RowObject): RowObject {
  const mended = new Map(Object.entries(row));
  for (const id of ids) if (Number.isSafeInteger(row[id])) mended.set(id, String(row[id]));
  return Object.fromEntries(mended);
}
