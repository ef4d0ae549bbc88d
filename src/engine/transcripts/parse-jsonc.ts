import { parse } from "jsonc-parser";

/**
 * Parses JSON that may have comments, trailing commas and a byte order mark, as far as it is valid. Undefined for an
 * empty text, and for one nested deeper than the parser's stack.
 */
export function parseJsonc(text: string): unknown {
  try {
    const value: unknown = parse(text.replace(/^\uFEFF/u, ""), [], { allowTrailingComma: true });
    return value;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
