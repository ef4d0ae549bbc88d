/** How long a text is, or anything else as JSON; null where there is nothing. Characters. */
export function sizeOf(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value.length : JSON.stringify(value).length;
}
