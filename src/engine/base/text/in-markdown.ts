import { cleanText, cutMiddle } from "./text.ts";

/**
 * Outside text within a line of Markdown: cleaned, shortened, and with everything that Markdown or HTML would act on escaped. It can
 * neither end its line nor begin a heading, a list, a table's cell or a link.
 */
export function inMarkdown(text: string, length: number): string {
  return cutMiddle(cleanText(text), length).replace(/[\\`*_{}[\]()#+\-.!~|<>&$]/gu, (mark) => `\\${mark}`);
}
