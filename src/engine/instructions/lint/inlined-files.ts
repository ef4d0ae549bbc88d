import { estimatedTokens } from "../../rules/rent.ts";
import { wholeNumber } from "../../base/format.ts";
import type { RoledLine } from "./changing.ts";
import { partOfLine, wholeLines, type LintFinding } from "./found-text.ts";
import { sentence } from "../../base/language.ts";

/** Reads a text file by its path from the folder of the instructions. Null if there is none. */
export type ReadNear = (path: string) => Promise<string | null>;

/** Minimum lines of code; fewer may be an example, from any file. */
const minLines = 10;
/** Share of the lines of a block that are in the file it names: with fewer, it is another text. */
const minShare = 0.6;
/** Minimum tokens of an import: a smaller one costs no more than naming the file. Estimated. */
const minTokens = 1500;
/** Files that are instructions themselves are meant to be imported. */
const instructionFile = /(?:^|\/)(?:CLAUDE(?:\.local)?|AGENTS|GEMINI)\.md$/u;

const namedPath = /(?:^|[\s`"'(=:*])((?:[\w@.+-]+\/)*[\w@+-][\w@.+-]*\.[A-Za-z]\w{0,7})(?=$|[\s`"'),:*])/u;

/** Finds code blocks that are copies of a file that they name: the copy is sent each time, and goes out of date. */
export async function inlinedFiles(lines: readonly RoledLine[], read: ReadNear): Promise<LintFinding[]> {
  const found: LintFinding[] = [];
  for (const { start, end } of blocksOf(lines)) {
    const code = lines.slice(start + 1, end - 1).map(({ text }) => text.trimEnd());
    const path = code.length < minLines ? null : nameOf(lines, start);
    const file = path === null ? null : await read(path);
    if (path === null || file === null) continue;
    const share = shareIn(code, file);
    if (share < minShare) continue;
    const text = lines
      .slice(start, end)
      .map((line) => line.text)
      .join("\n");
    found.push({
      kind: "inlined-file",
      span: partOfLine(start, 0, lines[start]?.text.length ?? 0),
      message:
        share === 1
          ? sentence(
              "{0} lines of {1} are repeated here, and sent each time.",
              wholeNumber(code.length),
              path,
            )
          : sentence(
              "A copy of {0} that no longer matches it: {1}% of its lines are still there.",
              path,
              wholeNumber(Math.round(share * 100)),
            ),
      remedy: sentence("Name the file instead: the agent reads {0} when it needs it.", path),
      text,
      fix: {
        title: sentence("Replace by the Name of {0}", path),
        span: wholeLines(start, end),
        text: `See \`${path}\`.\n`,
      },
    });
  }
  return found;
}

/** Finds imports (`@path`) of Claude Code that bring a large file into every session. */
export async function largeImports(
  lines: readonly RoledLine[],
  { read, charactersPerToken }: { readonly read: ReadNear; readonly charactersPerToken: readonly number[] },
): Promise<LintFinding[]> {
  const found: LintFinding[] = [];
  for (const [line, { text, role }] of lines.entries()) {
    if (role !== "text") continue;
    for (const { path, column } of importsIn(text)) {
      const file = instructionFile.test(path) ? null : await read(path);
      const tokens = file === null ? 0 : estimatedTokens(file, charactersPerToken).tokens;
      if (file === null || tokens < minTokens) continue;
      const span = partOfLine(line, column, path.length + 1);
      found.push({
        kind: "inlined-file",
        span,
        message: sentence(
          "@{0} brings the whole file into every session: about {1} tokens.",
          path,
          wholeNumber(tokens),
        ),
        remedy: sentence("Name the file without @: the agent reads it when it needs it."),
        text: file,
        fix: { title: sentence("Name the File Without @"), span, text: `\`${path}\`` },
      });
    }
  }
  return found;
}

/** Returns the imports of a line: `@path`, not in code. */
export function importsIn(text: string): { readonly path: string; readonly column: number }[] {
  const withoutCode = text.replaceAll(/`[^`]*`/gu, (code) => " ".repeat(code.length));
  return [...withoutCode.matchAll(/(?<=^|\s)@((?:~\/|\/|(?:\.{1,2}\/)+)?[\w.+-]+(?:\/[\w.+-]+)*)/gu)].map(
    ({ 1: path = "", index }) => ({ path: path.replace(/\.$/u, ""), column: index }),
  );
}

interface Block {
  /** The line of the opening marks. */
  readonly start: number;
  /** The line after the closing marks. */
  readonly end: number;
}

function blocksOf(lines: readonly RoledLine[]): Block[] {
  const blocks: Block[] = [];
  let start: number | null = null;
  for (const [index, { role }] of lines.entries()) {
    if (role !== "fence") continue;
    if (start === null) start = index;
    else {
      blocks.push({ start, end: index + 1 });
      start = null;
    }
  }
  return blocks;
}

/** The path that a block is named by: in its opening line, or in one of the two lines of text before. */
function nameOf(lines: readonly RoledLine[], start: number): string | null {
  const info = (lines[start]?.text ?? "").replace(/^\s*[`~]+\s*[\w+#-]*/u, " ");
  const before = lines
    .slice(Math.max(0, start - 4), start)
    .filter(({ text, role }) => text.trim() !== "" && (role === "text" || role === "heading"))
    .slice(-2)
    .toReversed();
  for (const text of [info, ...before.map((line) => line.text)]) {
    const path = namedPath.exec(text)?.[1];
    if (path !== undefined) return path;
  }
  return null;
}

/** Share of the lines of code, blank ones aside, that a file has, too. */
function shareIn(code: readonly string[], file: string): number {
  const known = new Set(file.split(/\r\n|\r|\n/u).map((line) => line.trim()));
  const codeLines = code.map((line) => line.trim()).filter((line) => line !== "");
  if (codeLines.length === 0) return 0;
  return codeLines.filter((line) => known.has(line)).length / codeLines.length;
}
