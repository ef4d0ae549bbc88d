import { parseJson } from "../base/parse.ts";

export type JsonLine =
  | { readonly kind: "value"; readonly value: unknown }
  /** Only white space. */
  | { readonly kind: "blank" }
  | { readonly kind: "malformed" };

/** Parses a line as JSON of any type, ignoring a leading byte order mark. */
export function parseJsonLine(line: Buffer): JsonLine {
  // Check the mark's first byte: most lines are large, and need not be searched for it.
  const text = line[0] === 0xef ? line.toString("utf8").replace(/^\uFEFF/u, "") : line.toString("utf8");
  const value = parseJson(text);
  if (value !== undefined) return { kind: "value", value };
  return text.trim() === "" ? { kind: "blank" } : { kind: "malformed" };
}
