import { cleanText, cutMiddle } from "../../base/text/text.ts";
import { scrub } from "../../base/text/scrub.ts";

/** A text of a session on one line: clean, without secrets, and so that no agent takes a part of it for a mention of a file. */
export function inLine(text: string, length: number): string {
  return withoutMentions(cutMiddle(scrub(cleanText(text)), length));
}

/**
 * A text of a session as a quotation, which can be neither a heading nor a list of the document. Lines beyond the length are left out, and
 * that is said. @param length characters
 */
export function quoted(text: string, length: number): string {
  const clean = text.split(/\r\n|[\n\r\u2028\u2029]/u).map(cleanLine);
  // Cleaned before, as what is invisible could hide a secret; and as a whole, as a secret may have several lines.
  const lines = scrub(clean.join("\n")).split("\n").map(withoutMentions);
  const kept: string[] = [];
  let size = 0;
  for (const line of withoutEmptyEnds(lines)) {
    size += line.length + 1;
    if (size > length) {
      kept.push("(The rest is left out.)");
      break;
    }
    kept.push(line);
  }
  return kept.map((line) => (line === "" ? ">" : `> ${line}`)).join("\n");
}

/** Keeps the indentation, which says something in lists and code. */
function cleanLine(line: string): string {
  const indent = /^[ \t]{0,12}/u.exec(line)?.[0].replaceAll("\t", "  ") ?? "";
  const clean = cleanText(line);
  return clean === "" ? "" : `${indent}${clean}`;
}

function withoutEmptyEnds(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line !== "");
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== "") + 1);
}

/**
 * Escapes each at sign that begins a word: agents add the file that it names to the prompt, whoever wrote it. In Markdown the escaped sign
 * reads the same.
 */
export function withoutMentions(text: string): string {
  return text.replaceAll(/(?<![\w\\])@/gu, String.raw`\@`);
}
