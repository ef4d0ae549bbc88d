import { cleanText } from "../../base/text.ts";
import { textAt, type RowObject } from "../../transcripts/claude.ts";

/** Names of tool inputs that identify a tool's target, the most specific first. */
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
const maxTargetLength = 200; // characters
const maxTextLength = 500; // characters

/**
 * Returns a tool's target, abbreviated: a file below the copy by its relative path. Null if its input has no
 * such field.
 */
export function shortTarget(input: RowObject | null, copy: string): string | null {
  for (const name of telling) {
    const value = textAt(input, name);
    if (value !== null) return cut(value.replaceAll(`${copy}/`, "").replaceAll(copy, "."), maxTargetLength);
  }
  return null;
}

/** Returns an agent's text, shortened and without control characters; null if it is empty. */
export function shortText(text: string): string | null {
  const trimmed = text.trim();
  return trimmed === "" ? null : cut(trimmed, maxTextLength);
}

function cut(text: string, maxLength: number): string {
  const clean = cleanText(text);
  return clean.length <= maxLength ? clean : `${clean.slice(0, maxLength - 1)}…`;
}
