import { cleanText, cleanLines, shorten } from "./text.ts";

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

/**
 * Prepares untrusted text for a line of Markdown: cleans and shortens it, and escapes everything that Markdown or HTML would
 * interpret, and nothing else. It can neither end its line nor start a heading, a list, a table's cell or a link.
 */
export function inMarkdown(text: string, length: number): string {
  return (
    shorten(cleanText(text), length)
      .replace(/[\\`*_[\]~|<>&$]|(?<=\])\(/gu, "\\$&")
      // A bare address becomes a link by its scheme, its dots or its at sign.
      .replace(/(?<=\w):(?=\/\/)|(?<=[^\s@])@(?=[^\s@])|(?<=\w)\.(?=\w)/gu, "\\$&")
      // At a line's beginning these make a heading, a list or a rule.
      .replace(/^[#+=-]/u, "\\$&")
      .replace(/^(\d{1,9})([.)])/u, "$1\\$2")
  );
}
