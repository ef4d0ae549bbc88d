import type { Interval, PassRate } from "../verdict.ts";

/**
 * Wilson's score interval: the shares compatible with the counts. Unlike the textbook interval, it is correct for few
 * runs and if none or all of them passed (Wilson 1927; Brown, Cai and DasGupta 2001).
 * @param boundary standard deviations
 */
export function wilson(passed: number, runs: number, boundary: number): { low: number; high: number } {
  if (runs === 0) return { low: 0, high: 1 };
  const share = passed / runs;
  const square = boundary ** 2;
  const middle = (share + square / (2 * runs)) / (1 + square / runs);
  const half =
    (boundary / (1 + square / runs)) * Math.sqrt((share * (1 - share)) / runs + square / (4 * runs ** 2));
  return {
    low: passed === 0 ? 0 : Math.max(0, middle - half),
    high: passed === runs ? 1 : Math.min(1, middle + half),
  };
}

/** Width of intervals: standard deviations, and the corresponding level. */
export interface Bounds {
  readonly boundary: number;
  readonly level: number;
}

export function passRate({ passed, runs }: Counted, { boundary, level }: Bounds): PassRate {
  if (runs === 0) return { passed, runs, rate: null };
  return { passed, runs, rate: { value: passed / runs, ...wilson(passed, runs, boundary), level } };
}

/** The boundary behind a share's interval; null without runs. */
export function boundaryOf({ passed, runs, rate }: PassRate): number | null {
  if (rate === null || runs === 0) return null;
  const end = passed === 0 ? rate.high : rate.low;
  const boundary = Math.abs(passed / runs - end) / Math.sqrt((end * (1 - end)) / runs);
  return Number.isFinite(boundary) && boundary > 0 ? boundary : null;
}

export interface Counted {
  readonly passed: number;
  readonly runs: number;
}

/**
 * Newcombe's hybrid score interval of the difference of two shares, `after` minus `before` (Newcombe 1998, method 10).
 * Built from the two Wilson intervals, so it never leaves -1 to 1, and is correct if one side never failed.
 */
export function newcombe(before: Counted, after: Counted, { boundary, level }: Bounds): Interval | null {
  if (before.runs === 0 || after.runs === 0) return null;
  const [first, second] = [before.passed / before.runs, after.passed / after.runs];
  const one = wilson(before.passed, before.runs, boundary);
  const two = wilson(after.passed, after.runs, boundary);
  const value = second - first;
  return {
    value,
    low: value - Math.hypot(second - two.low, one.high - first),
    high: value + Math.hypot(two.high - second, first - one.low),
    level,
  };
}
