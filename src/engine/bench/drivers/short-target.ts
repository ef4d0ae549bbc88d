import { cleanText } from "../../base/text/text.ts";
import { textAt, type RowObject } from "../../transcripts/claude/row-fields.ts";

/** The names agents give to what a tool works on, the most telling first. */
const telling = [
  "file_path",
  "notebook_path",
  "path",
  "command",
  "pattern",
  "query",
  "url",
  "description",
  "skill",
];
const longestTarget = 200; // characters
const longestText = 500; // characters

/** What a tool was called with, in few words: a file below the copy by its path there; null where its input names nothing. */
export function shortTarget(input: RowObject | null, copy: string): string | null {
  for (const name of telling) {
    const value = textAt(input, name);
    if (value !== null) return cut(value.replaceAll(`${copy}/`, "").replaceAll(copy, "."), longestTarget);
  }
  return null;
}

/** What an agent said, shortened and without control characters; null for nothing. */
export function shortText(text: string): string | null {
  const trimmed = text.trim();
  return trimmed === "" ? null : cut(trimmed, longestText);
}

function cut(text: string, longest: number): string {
  const clean = cleanText(text);
  return clean.length <= longest ? clean : `${clean.slice(0, longest - 1)}…`;
}
