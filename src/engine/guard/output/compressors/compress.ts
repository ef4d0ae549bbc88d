import type { CommandNames, Compressor, OutputText } from "./compressor.ts";
import { mayPrintFiles, readsFile } from "./file-readers.ts";
import { markMiddle, markRepeats } from "./general.ts";
import { shortenedJson } from "./json-arrays.ts";
import { hasNotice } from "./left-out.ts";
import { logs } from "./logs.ts";
import { Marks } from "./marks.ts";
import { groupByPath } from "./path-groups.ts";
import { stackFrames } from "./stack-frames.ts";
import { terminalText, withoutSequences } from "./terminal-text.ts";
import { builds } from "./tools/builds.ts";
import { bundles } from "./tools/bundles.ts";
import { git } from "./tools/git.ts";
import { images } from "./tools/images.ts";
import { cargoTest, goTest, javaTest, pythonTests } from "./tools/language-tests.ts";
import { listings, searches } from "./tools/listings.ts";
import { dependencyTree, packages } from "./tools/packages.ts";
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
  bundles,
  packages,
  dependencyTree,
  images,
  git,
  listings,
  searches,
];
/** Programs that write nothing, or next to it, beside the others of a command. */
const silent = new Set(
  "cd export set unset source true false : test [ mkdir sleep pushd popd wait".split(" "),
);
/** Programs that each write one format and no other. */
const closed: readonly Compressor[] = [git, listings, searches, dependencyTree];

/**
 * Makes a tool's output smaller: what carries nothing that an agent needs is left out, and said in its place. Each line that is kept
 * is as it was, in the same order. Returns null where too little is to be gained, where the output may be a file's text, and where
 * something was left out already.
 */
export function compressOutput(text: string, about: AboutOutput): Compressed | null {
  const before = Buffer.byteLength(text);
  if (before < leastBytes || hasNotice(text)) return null;
  const { command } = about;
  if (command !== null ? readsFile(command) : isDiff(text))
    return about.isFailure ? null : smaller(text, withoutSequences(text), "terminal", 0);
  const shown = terminalText(text);
  if (!about.isFailure && !runsAny(command, [testRuns, builds])) {
    const json = /^\s*[[{]/u.test(shown) ? shortenedJson(shown) : null;
    const isCut = json !== null && json.text.length < shown.length;
    if (json !== null) return smaller(text, json.text, isCut ? "json" : "terminal", json.removedLines);
  }
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
  const isClosed = programs.length > 0 && programs.every((words) => closed.some(({ runs }) => runs(words)));
  for (const format of formats) {
    const isExpected = runsAny(command, [format]);
    if (isExpected || !isClosed) format.mark(text, marks, isExpected);
  }
  if (!isClosed) stackFrames.mark(text, marks, false);
  const isKnown = marks.isRecognized;
  if ((isFailure && !isKnown) || isClosed) return isKnown;
  if (!isFailure) logs.mark(text, marks, runsAny(command, [logs]));
  const isUnknown = !marks.isRecognized && programs.length > 0;
  markRepeats(text, marks);
  if (isUnknown && !isFailure && !mayPrintFiles(programs)) markMiddle(text, marks);
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
