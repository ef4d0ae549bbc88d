import { compactJson, compactJsonLines } from "./compact-json.ts";
import {
  beginsWith,
  type CommandNames,
  type Compressor,
  type OutputText,
  fetchesData,
  readsFile,
} from "./compressor.ts";
import { isImportant } from "./important.ts";
import { type Rewritten, sizeOf, withoutLoss } from "./lossless.ts";
import { hasNotice, Marks } from "./marks.ts";
import { maxShare } from "./outliers.ts";
import { groupByStart } from "./path-groups.ts";
import { markRepeats, logs } from "./repeats.ts";
import { stackFrames } from "./stack-frames.ts";
import { builds } from "./tools/builds.ts";
import { cargoTest, goTest, javaTest, pythonTests } from "./tools/language-tests.ts";
import { git, images, packages } from "./tools/packages.ts";
import { keepSlowTests, tap, testRuns } from "./tools/test-runs.ts";

export interface AboutOutput {
  /** Null if unknown. Outputs of tools that only read files must not be passed. */
  readonly command: CommandNames | null;
  /** Whether the tool has failed. Then only known formats are shortened. */
  readonly isFailure: boolean;
}

/** A shortened output. */
export interface Compressed {
  readonly text: string;
  /** The compressor that left out most. */
  readonly compressor: string;
}

/** Minimum size of an output that is shortened. Bytes. */
const minBytes = 2048;
/** Minimum share of bytes saved. */
const minSaving = 0.1;
/** Length of each end of a text in which formats are recognized. Characters. */
const maxEndLength = 65_536;
/** Maximum part of a line that is read. Characters. */
const maxReadLength = 1000;

/** Compressors of tools' formats, in the order of use. */
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
/** Programs that write hardly anything. */
const silent = new Set(
  "cd export set unset source true false : test [ mkdir sleep pushd popd wait".split(" "),
);
/** Whether a program prints rows of data. Any row may matter, so all are kept. */
const printsRows = (words: readonly string[]): boolean =>
  beginsWith(
    words,
    ...["git", "ls", "exa", "eza", "find", "fd", "fdfind", "tree", "locate", "du"],
    ...["rg", "grep", "egrep", "fgrep", "ag", "ack"],
    ...["npm ls", "npm list", "pnpm ls", "pnpm list", "yarn list"],
  );

/**
 * Shortens a tool's output. Notices replace progress, repeated lines and passing tests. The other lines stay unchanged and in
 * order. Lists, tables, JSON and unknown formats keep every row that differs. Returns null if that saves too little, if the
 * output may be a file's text, or if it was shortened already.
 */
export function compressOutput(text: string, about: AboutOutput): Compressed | null {
  if ((text.length < minBytes && Buffer.byteLength(text) < minBytes) || hasNotice(text) || isBinary(text))
    return null;
  const { command } = about;
  if (command !== null ? readsFile(command) : isDiff(text)) {
    const data = command !== null && fetchesData(command) ? compactJson(text) : null;
    if (data !== null) return smaller(text, data, "json");
    return about.isFailure ? null : smaller(text, withoutSequences(text), "terminal");
  }
  const shown = terminalText(text);
  const compact = compactJson(shown);
  if (compact !== null) return smaller(text, compact, "json");
  const lines = shown.split("\n");
  const marks = new Marks(lines);
  const isKnown = mark({ ends: endsOf(shown), lines: lines.map(readPart) }, marks, about);
  const rows = isKnown ? null : compactJsonLines(shown);
  if (rows !== null) return smaller(text, rows, "json");
  if (about.isFailure && !isKnown) return null;
  const folded = marks.fold();
  const made = about.isFailure ? null : rewritten(folded.lines, command);
  const compressor = folded.compressor ?? made?.compressor ?? "terminal";
  return smaller(text, (made?.lines ?? folded.lines).join("\n"), compressor);
}

/** Writes lines in fewer bytes with all their data; null if that saves little. */
function rewritten(lines: readonly string[], command: CommandNames | null): Rewritten | null {
  const grouped = groupByStart(lines, command);
  if (grouped !== null && sizeOf(grouped.lines) < sizeOf(lines) * (1 - 2 * minSaving)) return grouped;
  return withoutLoss(lines) ?? grouped;
}

/** Marks the lines to leave out. Returns whether a compressor has recognized the format. */
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

/** Cuts a long line, and appends a character that no format has. */
function readPart(line: string): string {
  return line.length > maxReadLength ? `${line.slice(0, maxReadLength)}\u0000` : line;
}

/** Formats are recognized by how they begin or end. */
function endsOf(text: string): string {
  if (text.length <= 2 * maxEndLength) return text;
  return `${text.slice(0, maxEndLength)}\n${text.slice(-maxEndLength)}`;
}

/** UTF-16 and binary data have zero bytes, and their control characters may be text. */
function isBinary(text: string): boolean {
  return text.includes("\u0000");
}

function isDiff(text: string): boolean {
  return text.startsWith("diff --git ") || text.includes("\ndiff --git ");
}

function smaller(original: string, text: string, compressor: string): Compressed | null {
  const maxBytes = Buffer.byteLength(original) * (1 - minSaving);
  return Buffer.byteLength(text) > maxBytes ? null : { text, compressor };
}

const escape = "\u001B";

/** Sequences that move the cursor to the start of the line or erase the line. */
const lineStarts = /\u001B\[(?:[01]?G|2K)/gu;

/** Control sequences: colours and cursor (CSI), titles and links (OSC), two-letter ones, and incomplete ones. */
const sequences =
  /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)|[()][0-9A-B]|[@-Z\\^_=>78])?/gu;

function withoutSequences(text: string): string {
  return text.includes(escape) ? text.replace(sequences, "") : text;
}

/** Returns the text as a terminal finally shows it: a line that was rewritten, such as a progress bar, occurs once. */
function terminalText(text: string): string {
  const plain = text.includes(escape) ? withoutSequences(text.replace(lineStarts, "\r")) : text;
  if (!plain.includes("\r") && !plain.includes("\b")) return plain;
  return plain.split("\n").map(shownLine).join("\n");
}

/** A progress state: a percentage, a count, dots, or a spinner. */
const progress = /\d ?%|\d\/\d|\.{3} *$|…|^\s*[-|/\\\u2800-\u28FF]\s|\s[-|/\\\u2800-\u28FF]\s*$/u;

/** Returns the last state of the line, after those that report an error or anything else but progress. */
function shownLine(line: string): string {
  const written = line.includes("\b") ? withoutBackspaces(line) : line;
  if (!written.includes("\r")) return written;
  const states = written.split("\r").filter((state) => state.trim() !== "");
  const last = states.pop() ?? "";
  const forms = new Map<string, number>();
  for (const state of [...states, last]) forms.set(wordsOf(state), (forms.get(wordsOf(state)) ?? 0) + 1);
  const rare = states.filter((state) => (forms.get(wordsOf(state)) ?? 0) < 2);
  // Few states with words of their own say more than the progress of the others.
  const areFew = rare.length <= states.length * maxShare;
  const shown = new Set(
    states.filter(
      (state) =>
        isImportant(state) || ((areFew || !progress.test(state)) && (forms.get(wordsOf(state)) ?? 0) < 2),
    ),
  );
  shown.delete(last);
  return [...shown, last].join("\n");
}

/** Returns the longer words of a state, which progress repeats. */
function wordsOf(state: string): string {
  return (state.match(/\p{L}{3,}/gu) ?? []).join(" ");
}

function withoutBackspaces(line: string): string {
  const shown: string[] = [];
  for (const character of line)
    if (character !== "\b") shown.push(character);
    else if (shown.at(-1) !== "\r") shown.pop();
  return shown.join("");
}
