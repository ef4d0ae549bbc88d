export type JsonLine =
  | { readonly kind: "value"; readonly value: unknown }
  /** Nothing but white space: no row at all. */
  | { readonly kind: "blank" }
  | { readonly kind: "malformed" };

/** Reads a line as JSON, whatever it is; a byte order mark before it does not count. */
export function parseJsonLine(line: Buffer): JsonLine {
  // The mark's first byte: most lines are large, and need not be looked through for it.
  const text = line[0] === 0xef ? line.toString("utf8").replace(/^\uFEFF/u, "") : line.toString("utf8");
  try {
    return { kind: "value", value: JSON.parse(text) };
  } catch {
    return text.trim() === "" ? { kind: "blank" } : { kind: "malformed" };
  }
}
