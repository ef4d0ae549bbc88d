import type { OutputText } from "./compressor.ts";
import { kindOf } from "./left-out.ts";
import type { Marks } from "./marks.ts";

const repeats = kindOf("general", "repeat of the line above", "repeats of the line above");
const blanks = kindOf("general", "blank line");
const progress = kindOf("general", "line of progress", "lines of progress");

/** A report of progress has a percentage and draws it: a bar, or dots in groups as wget does. */
const drawnShare = /\d ?%/u;
const bar = /[=#━█▓▒░▉▊▋▌▍▎▏]{3}|(?:\.{10} ){2}/u;

/** Equal lines one after the other, long runs of blank ones, and progress that is reported line by line. */
export function markRepeats({ lines }: OutputText, marks: Marks): void {
  for (let index = 0; index < lines.length;) {
    const line = lines[index] ?? "";
    const end = runEnd(lines, index);
    if (line.trim() === "") for (let each = index + 2; each < end; each += 1) marks.drop(each, blanks);
    else if (end - index > 2) for (let each = index + 1; each < end; each += 1) marks.drop(each, repeats);
    index = end;
  }
  markProgress(lines, marks);
}

function runEnd(lines: OutputText["lines"], from: number): number {
  const line = lines[from] ?? "";
  const isBlank = line.trim() === "";
  let end = from + 1;
  while (end < lines.length && (isBlank ? lines[end]?.trim() === "" : lines[end] === line)) end += 1;
  return end;
}

/** Of consecutive lines that draw a progress bar, the first and the last are kept. */
function markProgress(lines: OutputText["lines"], marks: Marks): void {
  let from: number | null = null;
  for (let index = 0; index <= lines.length; index += 1) {
    const line = lines[index] ?? "";
    const isProgress = drawnShare.test(line) && bar.test(line);
    if (isProgress) from ??= index;
    else if (from !== null) {
      for (let each = from + 1; each < index - 1; each += 1) marks.dropQuiet(each, progress);
      from = null;
    }
  }
}
