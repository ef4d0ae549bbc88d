import { normalDensity, normalTail } from "./normal.ts";

/** Density of a sum of independent standard normal steps that has crossed no boundary so far, on a grid. */
export interface Grid {
  readonly low: number;
  readonly step: number;
  /** Sub-density times Simpson's weight, at each point. */
  readonly weights: Float64Array;
}

/** Odd, as Simpson's rule requires. */
const points = 161;
/** Maximum deviation that counts, in standard deviations: beyond it, the probability is about 1e-12. */
export const farthest = 7;

/** The probability that the next sum is above `bound`. */
export function crossed({ low, step, weights }: Grid, bound: number): number {
  let total = 0;
  for (let index = points - 1; index >= 0; index -= 1) {
    const distance = bound - (low + index * step);
    if (distance > farthest) break;
    total += (weights[index] ?? 0) * normalTail(distance);
  }
  return total;
}

/** Returns the density of a sum with this standard deviation, between `low` and `high`, before any comparison. */
export function firstGrid(deviation: number, low: number, high: number): Grid {
  return gridOf(low, high, (sum) => normalDensity(sum / deviation) / deviation);
}

/** Adds a step, and keeps the sums between `low` and `high`. */
export function advance(before: Grid, low: number, high: number): Grid {
  const shrinks = Math.exp(-before.step * before.step);
  return gridOf(low, high, (sum) => density(before, sum, shrinks));
}

function gridOf(low: number, high: number, densityAt: (sum: number) => number): Grid {
  const step = (high - low) / (points - 1);
  const weights = new Float64Array(points);
  for (let index = 0; index < points; index += 1) {
    const simpson = index === 0 || index === points - 1 ? 1 : index % 2 === 1 ? 4 : 2;
    weights[index] = ((simpson * step) / 3) * densityAt(low + index * step);
  }
  return { low, step, weights };
}

/** A density beyond this many deviations is zero, to the last digit of the largest. */
const negligible = 9;

/**
 * The density of the next sum. The kernel at equally spaced points is a product of factors that themselves shrink by
 * one factor: two multiplications per point instead of an exponential, outwards from the nearest point.
 * @param shrinks the factor by which the ratio of two neighbours shrinks: exp(-step²)
 */
function density({ low, step, weights }: Grid, sum: number, shrinks: number): number {
  const nearest = Math.min(points - 1, Math.max(0, Math.round((sum - low) / step)));
  const distance = sum - (low + nearest * step);
  const most = normalDensity(distance);
  const reach = Math.ceil(negligible / step);
  const [least, last] = [Math.max(0, nearest - reach), Math.min(points - 1, nearest + reach)];
  let total = (weights[nearest] ?? 0) * most;
  let [kernel, ratio] = [most, Math.exp(distance * step - (step * step) / 2)];
  for (let index = nearest + 1; index <= last; index += 1) {
    kernel *= ratio;
    ratio *= shrinks;
    total += (weights[index] ?? 0) * kernel;
  }
  [kernel, ratio] = [most, Math.exp(-distance * step - (step * step) / 2)];
  for (let index = nearest - 1; index >= least; index -= 1) {
    kernel *= ratio;
    ratio *= shrinks;
    total += (weights[index] ?? 0) * kernel;
  }
  return total;
}
