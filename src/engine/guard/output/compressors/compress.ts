import { beginsWith, type CommandNames, type Compressor, type OutputText } from "./compressor.ts";
import { readsFile } from "./file-readers.ts";
import { markRepeats } from "./general.ts";
import { hasNotice } from "./left-out.ts";
import { logs } from "./logs.ts";
import { Marks } from "./marks.ts";
import { groupByPath } from "./path-groups.ts";
import { keepSlowTests } from "./slow-tests.ts";
import { stackFrames } from "./stack-frames.ts";
import { terminalText, withoutSequences } from "./terminal-text.ts";
import { builds } from "./tools/builds.ts";
import { git } from "./tools/git.ts";
import { images } from "./tools/images.ts";
import { cargoTest, goTest, javaTest, pythonTests } from "./tools/language-tests.ts";
import { packages } from "./tools/packages.ts";
import { tap } from "./tools/tap.ts";
import { testRuns } from "./tools/test-runs.ts";

export interface AboutOutput {
  /** Null where unknown; the output of a tool that only reads files is not to be passed at all. */
  readonly command: CommandNames | null;
  /** Whether the tool has failed: only what a compressor knows is then left out. */
  readonly isFailure: boolean;
}

/** A smaller output. One more line may be put before its first line or after its last. */
export interface Compressed {
  readonly text: string;
  /** The compressor that left out most. */
  readonly compressor: string;
  readonly removedLines: number;
  /** Bytes in UTF-8. */
  readonly before: number;
  readonly after: number;
}

/** A shorter output is not worth a change. Bytes. */
const leastBytes = 2048;
/** Less than this share saved is not worth a change either. */
const leastSaving = 0.1;
/** Each end of a text in which a format is looked for. Characters. */
const longestEnd = 65_536;
/** Longer lines are read by their start. Characters. */
const longestRead = 1000;

/** By the tools' own formats, in the order in which they are asked. */
const formats: readonly Compressor[] = [
  testRuns,
  tap,
  pythonTests,
  goTest,
  cargoTest,
  javaTest,
  builds,
  packages,
  images,
  git,
];
/** Programs that write nothing, or next to it, beside the others of a command. */
const silent = new Set(
  "cd export set unset source true false : test [ mkdir sleep pushd popd wait".split(" "),
);
/** Programs that print rows of data. Any row may be the one that matters, so none is left out. */
const printsRows = (words: readonly string[]): boolean =>
  beginsWith(
    words,
    ...["git", "ls", "exa", "eza", "find", "fd", "fdfind", "tree", "locate", "du"],
    ...["rg", "grep", "egrep", "fgrep", "ag", "ack"],
    ...["npm ls", "npm list", "pnpm ls", "pnpm list", "yarn list"],
  );

/**
 * Makes a tool's output smaller: progress, repeated lines and passing tests are left out, and a notice says so in their place. Each
 * kept line is unchanged and in its order. Lists, tables, JSON and unknown formats keep every row that differs. Returns null where
 * too little is gained, where the output may be a file's text, and where something was left out already.
 */
export function compressOutput(text: string, about: AboutOutput): Compressed | null {
  const before = Buffer.byteLength(text);
  if (before < leastBytes || hasNotice(text) || isBinary(text)) return null;
  const { command } = about;
  if (command !== null ? readsFile(command) : isDiff(text))
    return about.isFailure ? null : smaller(text, withoutSequences(text), "terminal", 0);
  const shown = terminalText(text);
  if (isJson(shown)) return smaller(text, shown, "terminal", 0);
  const lines = shown.split("\n");
  const marks = new Marks(lines);
  const isKnown = mark({ ends: endsOf(shown), lines: lines.map(readPart) }, marks, about);
  if (about.isFailure && !isKnown) return null;
  const folded = marks.fold();
  const grouped = about.isFailure ? null : groupByPath(folded.lines, command);
  const compressor = folded.compressor ?? grouped?.compressor ?? "terminal";
  return smaller(text, (grouped?.lines ?? folded.lines).join("\n"), compressor, folded.removedLines);
}

/** Returns whether a compressor has recognized the format. */
function mark(text: OutputText, marks: Marks, { command, isFailure }: AboutOutput): boolean {
  const programs = (command ?? []).filter(([program = ""]) => !silent.has(program));
  const areRows = programs.length > 0 && programs.every(printsRows);
  for (const format of formats) {
    const isExpected = runsAny(command, [format]);
    if (isExpected || !areRows) format.mark(text, marks, isExpected);
  }
  keepSlowTests(text, marks);
  if (!areRows) stackFrames.mark(text, marks, false);
  const isKnown = marks.isRecognized;
  if ((isFailure && !isKnown) || areRows) return isKnown;
  if (!isFailure) logs.mark(text, marks, runsAny(command, [logs]));
  markRepeats(text, marks);
  return isKnown;
}

function runsAny(command: CommandNames | null, compressors: readonly Compressor[]): boolean {
  return command?.some((words) => compressors.some(({ runs }) => runs(words))) ?? false;
}

/** The start of a long line, with an end that no format has. */
function readPart(line: string): string {
  return line.length > longestRead ? `${line.slice(0, longestRead)}\u0000` : line;
}

/** Formats are known by how they begin or end. */
function endsOf(text: string): string {
  if (text.length <= 2 * longestEnd) return text;
  return `${text.slice(0, longestEnd)}\n${text.slice(-longestEnd)}`;
}

/** UTF-16 and binary data have zero bytes: what looks like control characters may be text. */
function isBinary(text: string): boolean {
  return text.includes("\u0000");
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/u.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function isDiff(text: string): boolean {
  return text.startsWith("diff --git ") || text.includes("\ndiff --git ");
}

function smaller(
  original: string,
  text: string,
  compressor: string,
  removedLines: number,
): Compressed | null {
  const before = Buffer.byteLength(original);
  const after = Buffer.byteLength(text);
  if (after > before * (1 - leastSaving)) return null;
  return { text, compressor, removedLines, before, after };
}
