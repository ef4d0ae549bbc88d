import * as z from "zod/mini";
import type { Sentence } from "../../base/language.ts";
import { readSentence } from "./propose.ts";
import { ruleText, type RuleSource } from "../rule.ts";
import { readJson } from "../../base/parse.ts";
import type { LedgerEntry } from "../../ledger/entries.ts";
import type { Trajectory, Action } from "./trajectory.ts";
import { cleanText } from "../../base/text.ts";
import { wholeNumber } from "../../base/format.ts";
import { scrub } from "../../base/scrub.ts";

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

/** Maximum length of a digest. Characters. */
export const digestLength = 8000;
/** Share of a long run's digest for its beginning; the rest is for its end, which shows the outcome. */
const headShare = 0.4;

/** Summarizes a run, one action per line, without secrets and without the content of files and tool output. */
export function digestOf({ actions }: Trajectory): string {
  const lines = actions.map(lineOf);
  const whole = lines.join("\n");
  if (whole.length <= digestLength) return whole;
  const note = (left: number) => `… ${wholeNumber(left)} actions left out …`;
  const room = digestLength - note(lines.length).length - 2;
  const head = taken(lines, room * headShare);
  const tail = taken(lines.slice(head.length).reverse(), room - head.join("\n").length).reverse();
  return [...head, note(lines.length - head.length - tail.length), ...tail].join("\n");
}

function lineOf({ line, tool, target, result }: Action): string {
  const came =
    result === null
      ? "no result"
      : `${wholeNumber(result.chars)} characters${result.isError ? ", an error" : ""}`;
  return `${line} ${tool} ${cleanText(scrub(target))} -> ${came}`;
}

function taken(lines: readonly string[], room: number): string[] {
  const kept: string[] = [];
  let used = 0;
  for (const line of lines) {
    if ((used += line.length + 1) > room) break;
    kept.push(line);
  }
  return kept;
}

/** Id prefix of receipts with a run's digest, before the run's id: agents delete their transcripts after some weeks. */
const prefix = "digest:";
const kept = z.object({ digest: z.string().check(z.maxLength(2 * digestLength)) });

/**
 * Ledger entry with the digest of a run behind a rule, without secrets. Appending it twice changes nothing.
 * @param at milliseconds since the epoch
 */
export function digestEntry(runId: string, trajectory: Trajectory, at: number): LedgerEntry {
  const content: z.infer<typeof kept> = { digest: digestOf(trajectory) };
  return {
    kind: "receipt",
    id: `${prefix}${runId}`,
    subject: "digest",
    subjectId: runId,
    at,
    verdict: "kept",
    json: JSON.stringify(content),
  };
}

/** Id of the receipt with the digest of a rule's run; null where a rule has no run, or is older than digests. */
export function digestIdOf(source: RuleSource | null): string | null {
  return source?.kind === "run" && source.runId !== undefined ? `${prefix}${source.runId}` : null;
}

/**
 * Returns null if there is none.
 * @param json the receipt's JSON
 */
export function readDigest(json: string | null): string | null {
  return readJson(kept, json)?.digest ?? null;
}
