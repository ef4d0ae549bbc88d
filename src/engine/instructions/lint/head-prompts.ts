import { isAlias, isMap, isScalar, parseDocument, type Scalar } from "yaml";
import { sentence } from "../../base/language.ts";
import { lineText, linesOf } from "../markdown-section.ts";
import { partOfLine, type LintFinding, type LintFix, type TextSpan } from "./found-text.ts";

/** A prompt in the head of a recurring agent's file, as it is written there: only indentation and quotes are left out. */
export interface HeadPrompt {
  /** `wake`: each wake has it; `bootstrap`: only a new session has it. */
  readonly name: "wake" | "bootstrap";
  readonly text: string;
  /** As YAML reads it. */
  readonly value: string;
  /** First line in the file, from 0, and the column at which each line's text starts. */
  readonly start: number;
  readonly columns: readonly number[];
  /** Whether its lines are literal, after `|` or `>`. A part of one can then be replaced without quoting. */
  readonly isBlock: boolean;
}

const head = /^(\uFEFF?---[ \t]*\r?\n)([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/u;

/**
 * Returns the prompts in the head of a recurring agent's file. Empty for invalid YAML, which its own check
 * reports.
 */
export function headPrompts(file: string): HeadPrompt[] {
  const [, opening = "", yaml] = head.exec(file) ?? [];
  if (yaml === undefined) return [];
  const document = parseDocument(yaml, { logLevel: "silent", prettyErrors: false });
  const { contents, errors } = document;
  if (errors.length > 0 || !isMap(contents)) return [];
  return contents.items.flatMap(({ key, value: given }) => {
    const value = isAlias(given) ? given.resolve(document) : given;
    if (!isScalar(key) || !isScalar(value)) return [];
    if (key.value !== "wake" && key.value !== "bootstrap") return [];
    const prompt = promptAt(file, opening.length, value);
    return prompt === null ? [] : [{ name: key.value, ...prompt }];
  });
}

function promptAt(
  file: string,
  before: number,
  { range, type, value }: Scalar,
): Omit<HeadPrompt, "name"> | null {
  if (typeof value !== "string" || !range) return null;
  const isBlock = type === "BLOCK_LITERAL" || type === "BLOCK_FOLDED";
  const isQuoted = type === "QUOTE_DOUBLE" || type === "QUOTE_SINGLE";
  const from = before + range[0] + (isQuoted ? 1 : 0);
  const to = before + range[1] - (isQuoted ? 1 : 0);
  const above = linesOf(file.slice(0, from));
  const last = above.at(-1) ?? "";
  const column = lineText(last) === last ? last.length : 0;
  const first = column === 0 ? above.length : above.length - 1;
  const raw = linesOf(file.slice(from, to));
  // The first line of a block has only its mark, such as `|` or `>-`.
  const lines = isBlock ? raw.slice(1) : raw;
  const indent = Math.min(...lines.filter((line) => line.trim() !== "").map(indentOf));
  const columns = lines.map((line, index) => {
    if (isBlock) return Math.min(indent, lineText(line).length);
    return index === 0 ? column : indentOf(line);
  });
  const texts = lines.map((line, index) => (isBlock || index > 0 ? line.slice(columns[index]) : line));
  const text = texts.join("");
  return {
    text: type === "QUOTE_DOUBLE" ? text.replaceAll(/\\[nrt]/gu, "  ") : text,
    value,
    start: isBlock ? first + 1 : first,
    columns,
    isBlock,
  };
}

function indentOf(line: string): number {
  return line.length - line.replace(/^[ \t]+/u, "").length;
}

/** Maps a finding in a prompt's text to its place in the file. Keeps a fix only if the YAML stays valid. */
export function inFile(finding: LintFinding, prompt: HeadPrompt): LintFinding {
  const { fix } = finding;
  return {
    ...finding,
    prompt: prompt.name,
    span: spanInFile(finding.span, prompt),
    fix: fix !== null && keepsYaml(fix, prompt) ? { ...fix, span: spanInFile(fix.span, prompt) } : null,
  };
}

function spanInFile(
  { line, column, endLine, endColumn }: TextSpan,
  { start, columns }: HeadPrompt,
): TextSpan {
  const at = (own: number, each: number) => each + (columns[own] ?? 0);
  return {
    line: start + line,
    column: at(line, column),
    endLine: start + endLine,
    // The end of whole lines is the beginning of the next one, before its indentation.
    endColumn: endColumn === 0 && endLine > line ? 0 : at(endLine, endColumn),
  };
}

/** Whether a fix replaces a part of one line in a block. Any other fix would need indenting or quoting. */
function keepsYaml({ span, file, text }: LintFix, { isBlock }: HeadPrompt): boolean {
  return isBlock && file === undefined && span.line === span.endLine && !/[\r\n]/u.test(text);
}

/** Characters of a prompt that each wake adds to its session, from which it costs more than it need. */
const longPrompt = 4000;

/** Finds a prompt that is long although each wake sends it again. */
export function longPrompts({ name, value, text, columns }: HeadPrompt): LintFinding[] {
  if (name !== "wake" || value.length < longPrompt) return [];
  const line = Math.max(
    0,
    linesOf(text).findIndex((each) => each.trim() !== ""),
  );
  const words = lineText(linesOf(text)[line] ?? "");
  return columns.length === 0
    ? []
    : [
        {
          kind: "long-prompt",
          span: partOfLine(line, 0, words.length),
          message: sentence(
            "The text for each wake has {0} characters. A session that goes on gets them again with each wake.",
            value.length,
          ),
          remedy: sentence(
            "Keep what every wake needs, and move the rest below the head: only a new session gets that.",
          ),
          text: value,
          fix: null,
        },
      ];
}
