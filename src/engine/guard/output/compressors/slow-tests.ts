import type { OutputText } from "./compressor.ts";
import type { Marks } from "./marks.ts";

/** A time, as `12.3s`, `5003 ms` or Go's JSON tell it. The last of a line counts: a test's name may have one too. */
const time = /"Elapsed":(?<elapsed>\d+(?:\.\d+)?)|(?<![\d.])(?<value>\d+(?:\.\d+)?) ?(?<unit>ms|s|m)\b/gu;
const seconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60 };

/** A test that stands out takes this long, and this much more than most. Seconds; a factor. */
const [leastTime, leastFactor] = [1, 10];
const mostKept = 5;

/** Keeps the few passing tests that took much longer than the others: their lines differ in what may be asked for. */
export function keepSlowTests({ lines }: OutputText, marks: Marks): void {
  const timed = lines.flatMap((line, index) => {
    const took = marks.isDropped(index) ? timeIn(line) : null;
    return took === null ? [] : [{ index, took }];
  });
  const sorted = timed.toSorted((one, other) => other.took - one.took);
  const usual = sorted[Math.floor(sorted.length / 2)]?.took ?? 0;
  for (const { index, took } of sorted.slice(0, mostKept))
    if (took >= leastTime && took >= usual * leastFactor) marks.keep(index);
}

function timeIn(line: string): number | null {
  let found: number | null = null;
  for (const { groups } of line.matchAll(time)) {
    const { elapsed, value, unit } = groups ?? {};
    found = elapsed === undefined ? Number(value) * (seconds[unit ?? ""] ?? 0) : Number(elapsed);
  }
  return found;
}
