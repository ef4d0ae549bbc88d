import { cleanText, shorten } from "./text.ts";

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
