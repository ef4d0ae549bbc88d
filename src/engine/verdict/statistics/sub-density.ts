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
/** Largest deviation that counts, in standard deviations: beyond it, the probability is about 1e-12. */
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

/** Adds a step, and keeps the sums between `low` and `high`. @param before null before the first step */
export function advance(before: Grid | null, low: number, high: number): Grid {
  const step = (high - low) / (points - 1);
  const weights = new Float64Array(points);
  for (let index = 0; index < points; index += 1) {
    const simpson = index === 0 || index === points - 1 ? 1 : index % 2 === 1 ? 4 : 2;
    weights[index] = ((simpson * step) / 3) * density(before, low + index * step);
  }
  return { low, step, weights };
}

function density(before: Grid | null, sum: number): number {
  if (before === null) return normalDensity(sum);
  const { low, step, weights } = before;
  let total = 0;
  // Run some hundred million times by a plan: an iterator takes several times as long.
  for (let index = 0; index < points; index += 1)
    total += (weights[index] ?? 0) * normalDensity(sum - (low + index * step));
  return total;
}
