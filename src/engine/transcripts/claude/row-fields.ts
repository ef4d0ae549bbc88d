import { isObject } from "../../base/is-object.ts";
/** A JSON object of unknown members. */
export type RowObject = Readonly<Record<string, unknown>>;

/** The object at a key, or null. */
export function objectAt(row: RowObject | null, key: string): RowObject | null {
  const value = row?.[key];
  return isObject(value) ? value : null;
}

/** The text at a key, or null when it is missing or empty. */
export function textAt(row: RowObject | null, key: string): string | null {
  const value = row?.[key];
  return typeof value === "string" && value !== "" ? value : null;
}

/** The list at a key, or an empty one. */
export function listAt(row: RowObject | null, key: string): readonly unknown[] {
  const value: unknown = row?.[key];
  return Array.isArray(value) ? value : [];
}

/** The objects of the list at a key. */
export function objectsAt(row: RowObject | null, key: string): RowObject[] {
  return listAt(row, key).filter(isObject);
}

/** The value as a whole, non-negative, safe integer, or null: characters, milliseconds, messages. */
export function countAt(row: RowObject | null, key: string): number | null {
  const value = row?.[key];
  if (typeof value !== "number" || !(value >= 0)) return null;
  const count = Math.round(value);
  return Number.isSafeInteger(count) ? count : null;
}

/**
 * Returns the number of tokens cleared from a response's context, from its `context_management`: as reported by the
 * provider, or as estimated by the agent. Each response repeats the sum of all edits so far. Undefined for a row
 * without edits.
 */
export function clearedTokens(edits: unknown): number | undefined {
  if (!isObject(edits)) return undefined;
  const applied = objectsAt(edits, "applied_edits").reduce(
    (sum, edit) => sum + (countAt(edit, "cleared_input_tokens") ?? 0),
    0,
  );
  return Math.max(applied, countAt(edits, "client_estimated_cleared_input_tokens") ?? 0);
}
