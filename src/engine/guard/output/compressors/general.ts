import type { OutputText } from "./compressor.ts";
import { kindOf } from "./left-out.ts";
import { formOf } from "./logs.ts";
import type { Marks } from "./marks.ts";

const repeats = kindOf("general", "repeat of the line above", "repeats of the line above");
const blanks = kindOf("general", "blank line");
const progress = kindOf("general", "line of progress", "lines of progress");
const middle = kindOf("general", "line of the middle", "lines of the middle");

/** A longer text keeps this many lines of its start and its end. */
const mostLines = 400;
const keptAtStart = 150;
const keptAtEnd = 100;

/** A place in a file, such as that of an error. */
const place = /\.\w{1,8}[:(]\d/u;
const share = /\d ?%/u;

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

/** Of consecutive lines with a percentage that differ only in their numbers, the first and the last are kept. */
function markProgress(lines: OutputText["lines"], marks: Marks): void {
  let from = 0;
  let form: number | null = null;
  for (let index = 0; index <= lines.length; index += 1) {
    const line = lines[index] ?? "";
    const own = share.test(line) ? formOf(line) : null;
    if (own !== null && own === form) continue;
    if (form !== null) for (let each = from + 1; each < index - 1; each += 1) marks.dropQuiet(each, progress);
    from = index;
    form = own;
  }
}

/** Of a very long text of no known format, the lines of its middle that tell of no error and name no place. */
export function markMiddle({ lines }: OutputText, marks: Marks): void {
  if (lines.length <= mostLines) return;
  for (let index = keptAtStart; index < lines.length - keptAtEnd; index += 1)
    if (!place.test(lines[index] ?? "")) marks.dropQuiet(index, middle);
}
