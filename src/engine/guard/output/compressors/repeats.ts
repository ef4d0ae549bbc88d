import { beginsWith, type Compressor, type OutputText } from "./compressor.ts";
import { kindOf, repeatOf, type Marks } from "./marks.ts";

const repeats = repeatOf("general", "repeat of the line above", "repeats of the line above");
const blanks = repeatOf("general", "blank line", "blank lines");
const progress = kindOf("general", "line of progress", "lines of progress");

/** Progress has a percentage and a drawing: a bar, or wget's groups of dots. */
const drawnShare = /(\d{1,3})(?:\.\d+)? ?%/u;
const bar = /[=#━█▓▒░▉▊▋▌▍▎▏]{3}|(?:\.{10} ){2}/u;

/** Marks consecutive equal lines, runs of blank lines, and progress in several lines. */
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

/** Words and names of a line. Units follow a number. */
const names = /(?<![\d.\p{L}])\p{L}[\p{L}\d]*/gu;

/** Keeps the first and the last of consecutive lines with one bar that grows. Bars of several things, such as disks, are rows. */
function markProgress(lines: OutputText["lines"], marks: Marks): void {
  let [from, share, name] = [-1, 0, ""];
  const end = (to: number) => {
    if (from !== -1) for (let each = from + 1; each < to - 1; each += 1) marks.dropQuiet(each, progress);
    from = -1;
  };
  lines.forEach((line, index) => {
    const found = line.includes("%") && bar.test(line) ? drawnShare.exec(line) : null;
    if (found === null) {
      end(index);
      return;
    }
    const own = line.match(names)?.join(" ") ?? "";
    if (own !== name || Number(found[1]) < share) end(index);
    if (from === -1) from = index;
    [share, name] = [Number(found[1]), own];
  });
  end(lines.length);
}

const likeAbove = repeatOf("logs", "line equal but for its time", "lines equal but for their time");

/** A log line begins with its time or its level. */
const logLine =
  /^(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ,]|\[?\d\d:\d\d:\d\d|[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d |\S{1,60} \S{1,30} \S{1,30} \[\d\d\/[A-Z][a-z]{2}\/\d{4}|\[?(?:INFO|DEBUG|TRACE|WARN|ERROR|NOTICE|info|debug|trace|warn|error)\b|\{"(?:time|level|ts|timestamp|msg|severity)"|\[ *\d+\.\d{6}\] )/u;
/** Times in the formats of ISO 8601, syslog and web servers. */
const times =
  /\d{4}[-/]\d\d[-/]\d\d[T ,]*|\d\d\/[A-Z][a-z]{2}\/\d{4}:?|[A-Z][a-z]{2} +\d{1,2} (?=\d\d:)|\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z| ?[+-]\d\d:?\d\d)?|^\[ *\d+\.\d{6}\] /gu;
const sampleSize = 300;
const minLines = 30;
const minShare = 0.6;
/** Number of first lines that are kept for each text, and of last lines of the log. */
const sameLinesShown = 3;
const lastLinesShown = 5;

/** Logs. Keeps the first three lines that differ only in their time. */
export const logs: Compressor = {
  runs: (words) =>
    beginsWith(
      words,
      "docker logs",
      "podman logs",
      "kubectl logs",
      "docker compose logs",
      "journalctl",
      "dmesg",
    ),
  mark: ({ lines }, marks, isExpected) => {
    const sample = lines.slice(0, sampleSize);
    const share = sample.filter((line) => logLine.test(line)).length / sample.length;
    if (lines.length < minLines || share < (isExpected ? minShare / 2 : minShare)) return;
    const seen = new Map<string, number>();
    lines.forEach((line, index) => {
      if (!logLine.test(line)) return;
      const text = line.replace(times, "");
      const count = (seen.get(text) ?? 0) + 1;
      seen.set(text, count);
      if (count > sameLinesShown && index < lines.length - lastLinesShown) marks.dropQuiet(index, likeAbove);
    });
  },
};
