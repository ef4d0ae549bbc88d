export type JsonLine =
  | { readonly kind: "value"; readonly value: unknown }
  /** Nothing but white space: no row at all. */
  | { readonly kind: "blank" }
  | { readonly kind: "malformed" };

/** Reads a line as JSON, whatever it is; a byte order mark before it does not count. */
export function parseJsonLine(line: Buffer): JsonLine {
  const text = line.toString("utf8").replace(/^\uFEFF/u, "");
  if (text.trim() === "") return { kind: "blank" };
  try {
    return { kind: "value", value: JSON.parse(text) };
  } catch {
    return { kind: "malformed" };
  }
}
