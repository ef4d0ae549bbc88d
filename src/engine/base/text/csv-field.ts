import { cleanLines } from "./text.ts";

/**
 * A field in RFC 4180 format, or empty for null. Texts are untrusted: what could move a terminal's cursor or reorder text is removed, and
 * what a spreadsheet would take for a formula gets an apostrophe before it.
 */
export function csvField(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const clean = cleanLines(value);
  const text = formula.test(clean) ? `'${clean}` : clean;
  return /[",\n]/u.test(text) ? `"${text.replaceAll(`"`, `""`)}"` : text;
}

/** Some spreadsheets skip white space before a formula, and take the wide forms of its signs. */
const formula = /^(?:[\t\n]|\s*[=+\-@＝＋－＠])/u;
