import type { Sentence } from "../base/text/sentence.ts";
import { readSentence } from "./read-sentence.ts";
import { ruleText } from "./rule.ts";

/** A line of an instructions file that can become a rule. */
interface ImportedLine {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

export interface ImportedLines {
  readonly rules: readonly ImportedLine[];
  /** Lines of advice that cannot become rules, with the reason. */
  readonly refused: readonly { readonly line: number; readonly why: Sentence }[];
}

/** Maximum lines that are read. */
const maxLines = 5000;
const listItem = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(\S.*)$/u;

/**
 * Extracts the advice from a CLAUDE.md, an AGENTS.md or a file in `.claude/rules`: list items and one-line
 * paragraphs, but no headings, tables, code, comments or frontmatter. Does not change the file.
 */
export function importLines(text: string): ImportedLines {
  const lines = text.split(/\r\n|\r|\n/u).slice(0, maxLines);
  const rules: ImportedLine[] = [];
  const refused: { line: number; why: Sentence }[] = [];
  let fence: string | null = null;
  let isComment = false;
  let isFrontmatter = lines[0]?.trim() === "---";
  for (const [index, raw] of lines.entries()) {
    if (isFrontmatter) {
      isFrontmatter = index === 0 || raw.trim() !== "---";
      continue;
    }
    const mark = /^\s*(```+|~~~+)/u.exec(raw)?.[1];
    if (mark !== undefined) {
      if (fence === null) fence = mark.slice(0, 3);
      else if (mark.startsWith(fence)) fence = null;
      continue;
    }
    if (fence !== null) continue;
    if (isComment || raw.includes("<!--")) {
      isComment = !raw.includes("-->");
      continue;
    }
    const advice = adviceIn(lines, index, raw);
    if (advice === null) continue;
    const read = readSentence(advice);
    if (read.ok) rules.push({ line: index + 1, text: ruleText(read.value) });
    else refused.push({ line: index + 1, why: read.detail });
  }
  return { rules, refused };
}

function adviceIn(lines: readonly string[], index: number, raw: string): string | null {
  const item = listItem.exec(raw)?.[1];
  if (item !== undefined) return plain([item, ...continued(lines, index + 1)].join(" "));
  const isAlone = (lines[index - 1] ?? "").trim() === "" && (lines[index + 1] ?? "").trim() === "";
  const isParagraph = isAlone && /^[\p{L}`*"“(]/u.test(raw) && raw.trim().includes(" ");
  return isParagraph ? plain(raw) : null;
}

/** Continuation lines of a list item: indented, up to the next item or an empty line. */
function continued(lines: readonly string[], from: number): string[] {
  const found: string[] = [];
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (!/^\s+\S/u.test(line) || listItem.test(line)) break;
    found.push(line.trim());
  }
  return found;
}

/** Removes Markdown emphasis and links; code keeps its words. */
function plain(text: string): string {
  return text
    .replaceAll(/\[([^[\]]+)\]\([^)]{0,500}\)/gu, "$1")
    .replaceAll(/\*\*([^*]+)\*\*|__([^_]+)__/gu, "$1$2")
    .replaceAll(/\s+/gu, " ")
    .trim();
}
