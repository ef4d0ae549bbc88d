/** Length of a text, or of anything else as JSON; null for null and undefined. Characters. */
export function sizeOf(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value.length : JSON.stringify(value).length;
}
