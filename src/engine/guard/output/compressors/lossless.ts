import { indentOf } from "./compressor.ts";
import { kindOf, leftOutNotice } from "./marks.ts";
import { outliersOf } from "./outliers.ts";

export interface Rewritten {
  readonly lines: readonly string[];
  readonly compressor: string;
}

const spaces = kindOf("columns", "space between columns", "spaces between columns");
const equals = kindOf("equal-lines", "repeat of an equal line", "repeats of equal lines");
const starts = kindOf("line-starts", "repeat of a line's start", "repeats of a line's start");

/** Minimum number of rows in a table, and of equal lines. */
const [minRows, minEqual] = [8, 3];
/** Minimum length of a text that is written once. Characters. */
const minLength = 12;
/** Minimum share of characters saved. */
const minSaving = 0.1;
/** Minimum length of all repeats of a line, as a number in place of a short one only confuses. Characters. */
const minRepeated = 60;
/** Minimum share of characters saved by numbers: a reader has to look up each. */
const minSavingByNumbers = 0.2;
/** Number of lines in which a form is tried first. */
const sampleSize = 120;

/** A form: the share of characters that it is expected to save, and how it is made. */
interface Form {
  readonly share: number;
  readonly make: () => Saving;
}

/** Writes lines in fewer bytes with all their data, in the form that saves most; null if none saves a tenth. */
export function withoutLoss(lines: readonly string[]): Rewritten | null {
  const size = sizeOf(lines);
  const step = Math.ceil(lines.length / sampleSize);
  const sample = step === 1 ? lines : lines.filter((_, index) => index % step === 0);
  const forms = [equalLinesOnce(lines, size), narrowColumns(lines, sample), startOnce(lines, sample)];
  let best: Form | null = null;
  for (const form of forms)
    if (form !== null && form.share > Math.max(minSaving, best?.share ?? 0)) best = form;
  const made = best?.make() ?? null;
  return made === null || made.saved < size * minSaving
    ? null
    : { lines: [made.notice, ...made.lines], compressor: made.compressor };
}

/** Length of lines with their ends. Characters. */
export function sizeOf(lines: readonly string[]): number {
  let size = lines.length;
  for (const line of lines) size += line.length;
  return size;
}

interface Saving {
  readonly notice: string;
  readonly lines: readonly string[];
  readonly compressor: string;
  /** Characters. */
  readonly saved: number;
}

/** Writes one or two spaces between columns. A table with empty places is not changed, and rows unlike the others stay as they are. */
function narrowColumns(lines: readonly string[], sample: readonly string[]): Form | null {
  const counts = new Map<number, number>();
  const saved = new Map<number, number>();
  for (const line of sample) {
    const { text, gaps } = narrow(line);
    if (gaps === 0) continue;
    counts.set(gaps, (counts.get(gaps) ?? 0) + 1);
    saved.set(gaps, (saved.get(gaps) ?? 0) + line.length - text.length);
  }
  const [usual = 0, count = 0] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? [];
  if (count < minRows) return null;
  return {
    share: (saved.get(usual) ?? 0) / sizeOf(sample),
    make: () => {
      const rows = lines.map(narrow);
      const written = lines.map((line, index) => (rows[index]?.gaps === usual ? rows[index].text : line));
      // Where the head or a row has more columns, the others have empty places.
      if (usual > 0 && rows.some(({ gaps }) => gaps > usual))
        return { notice: "", lines, compressor: spaces.compressor, saved: 0 };
      const alike = [...lines.keys()].filter((index) => written[index] !== lines[index]);
      for (const index of unlike(lines, alike)) written[index] = lines[index] ?? "";
      const left = sizeOf(lines) - sizeOf(written);
      const notice = leftOutNotice(new Map([[spaces, Math.max(1, left)]]));
      return { notice, lines: written, compressor: spaces.compressor, saved: left - notice.length - 1 };
    },
  };
}

/** A line with narrow gaps, and their number. Bars tell columns apart, also empty ones; without bars, two spaces do. */
function narrow(line: string): { readonly text: string; readonly gaps: number } {
  if (!line.includes("  ")) return { text: line, gaps: 0 };
  const bars = line.match(/[|│┃]/gu)?.length ?? 0;
  if (bars > 1) {
    const isBar = (at: number) => "|│┃".includes(line.charAt(at) || " ");
    const text = line.replace(/ {2,}/gu, (run, at: number) =>
      isBar(at - 1) || isBar(at + run.length) ? " " : run,
    );
    return { text, gaps: -bars };
  }
  const indent = indentOf(line);
  let gaps = 0;
  const text = line
    .slice(indent)
    .trimEnd()
    .replace(/ {2,}/gu, () => {
      gaps += 1;
      return "  ";
    });
  return { text: line.slice(0, indent) + text, gaps };
}

/** Returns those of some lines that are unlike the others: they look as they did, so that a search finds them. */
function unlike(lines: readonly string[], some: readonly number[]): ReadonlySet<number> {
  const odd = outliersOf(some.map((index) => ({ text: lines[index] ?? "", isImportant: false })));
  return new Set([...odd].map((at) => some[at] ?? 0));
}

/** Writes lines that occur often once, with a number, and only their number where they occur again. */
function equalLinesOnce(lines: readonly string[], size: number): Form | null {
  const counts = new Map<string, number>();
  for (const line of lines) if (line.length >= minLength) counts.set(line, (counts.get(line) ?? 0) + 1);
  if (lines.length - counts.size < minEqual) return null;
  const often = [...counts]
    .filter(([line, count]) => count >= minEqual && (count - 1) * line.length >= minRepeated)
    .sort(([, one], [, other]) => other - one);
  if (often.length === 0 || lines.some((line) => line.startsWith("(="))) return null;
  const numbers = new Map(often.map(([line], index) => [line, `(=${index + 1})`]));
  let [saved, repeats] = [0, 0];
  for (const [line, count] of often) {
    saved += (count - 1) * line.length - count * (numbers.get(line) ?? "").length - 1;
    repeats += count - 1;
  }
  if (saved < size * minSavingByNumbers) return null;
  const make = () => {
    const seen = new Set<string>();
    const written = lines.map((line) => {
      const number = numbers.get(line);
      if (number === undefined) return line;
      if (seen.has(line)) return number;
      seen.add(line);
      return `${number} ${line}`;
    });
    const notice = `${leftOutNotice(new Map([[equals, repeats]]))} a number such as (=1) alone repeats the line that it first stands before`;
    return { notice, lines: written, compressor: equals.compressor, saved: saved - notice.length - 1 };
  };
  return { share: saved / size, make };
}

/** Stands for the start of a line. */
const startSign = "… ";

/** Writes once what most lines begin with, up to a space or a sign. Other lines, and those unlike the rest, stay as they are. */
function startOnce(lines: readonly string[], sample: readonly string[]): Form | null {
  const sorted = sample.filter((line) => line.trim() !== "").sort();
  const low = sorted[Math.floor(sorted.length * 0.1)] ?? "";
  const high = sorted[Math.floor(sorted.length * 0.9)] ?? "";
  let length = 0;
  while (length < low.length && low[length] === high[length]) length += 1;
  const shared = /^.*[^\p{L}\p{N}]/u.exec(low.slice(0, length))?.[0] ?? "";
  if (shared.trim().length < minLength || lines.some((line) => line.startsWith(startSign))) return null;
  const isAlike = (line = "") => line.startsWith(shared) && line.length > shared.length;
  const gain = shared.length - startSign.length;
  return {
    share: (sample.filter(isAlike).length * gain) / sizeOf(sample),
    make: () => {
      const alike = [...lines.keys()].filter((index) => isAlike(lines[index]));
      const odd = unlike(lines, alike);
      const written = [...lines];
      for (const index of alike)
        if (!odd.has(index)) written[index] = startSign + (lines[index] ?? "").slice(shared.length);
      const repeats = alike.length - odd.size;
      const notice = `${leftOutNotice(new Map([[starts, Math.max(1, repeats)]]))} ${startSign}stands for "${shared}"`;
      return {
        notice,
        lines: written,
        compressor: starts.compressor,
        saved: repeats * gain - notice.length - 1,
      };
    },
  };
}
