import { cleanText } from "../../base/text/text.ts";
import { textAt, type RowObject } from "../../transcripts/claude/row-fields.ts";

/** Names of tool inputs that show what a tool works on, the most telling first. */
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

/**
 * Returns what a tool was called with, abbreviated: a file below the copy by its relative path; null if its input has no such
 * field.
 */
export function shortTarget(input: RowObject | null, copy: string): string | null {
  for (const name of telling) {
    const value = textAt(input, name);
    if (value !== null) return cut(value.replaceAll(`${copy}/`, "").replaceAll(copy, "."), longestTarget);
  }
  return null;
}

/** Returns an agent's text, shortened and without control characters; null if it is empty. */
export function shortText(text: string): string | null {
  const trimmed = text.trim();
  return trimmed === "" ? null : cut(trimmed, longestText);
}

function cut(text: string, longest: number): string {
  const clean = cleanText(text);
  return clean.length <= longest ? clean : `${clean.slice(0, longest - 1)}…`;
}
