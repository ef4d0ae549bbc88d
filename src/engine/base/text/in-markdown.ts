import { cleanText, shorten } from "./text.ts";

/**
 * Prepares untrusted text for a line of Markdown: cleans and shortens it, and escapes everything that Markdown or HTML would
 * interpret. It can neither end its line nor start a heading, a list, a table's cell or a link.
 */
export function inMarkdown(text: string, length: number): string {
  return shorten(cleanText(text), length).replace(/[\\`*_{}[\]()#+\-.!~|<>&$]/gu, (mark) => `\\${mark}`);
}
