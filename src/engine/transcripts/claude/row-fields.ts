/** A JSON object, of which nothing more is known. */
export type RowObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is RowObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object at a key, or null. */
export function objectAt(row: RowObject | null, key: string): RowObject | null {
  const value = row?.[key];
  return isObject(value) ? value : null;
}

/** The text at a key, or null where there is none or an empty one. */
export function textAt(row: RowObject | null, key: string): string | null {
  const value = row?.[key];
  return typeof value === "string" && value !== "" ? value : null;
}

/** The list at a key; an empty one where there is none. */
export function listAt(row: RowObject | null, key: string): readonly unknown[] {
  const value: unknown = row?.[key];
  return Array.isArray(value) ? value : [];
}

/** The objects of the list at a key. */
export function objectsAt(row: RowObject | null, key: string): RowObject[] {
  return listAt(row, key).filter(isObject);
}

/** Whole, not negative and exact, or null: characters, milliseconds, messages. */
export function countAt(row: RowObject | null, key: string): number | null {
  const value = row?.[key];
  if (typeof value !== "number" || !(value >= 0)) return null;
  const count = Math.round(value);
  return Number.isSafeInteger(count) ? count : null;
}
