import { normalDensity, normalTail } from "./normal.ts";

/** Where a sum ends at one look: at or above `upper`, or at or below `lower`. Deviations from its mean at that look. */
export interface Look {
  readonly upper: number;
  readonly lower: number;
}

/**
 * The probability that a sum of independent standard normal steps has ended above by each look: the recursion of
 * Armitage, McPherson and Rowe (1969), as in `boundaries.ts`, with bounds that may move. A sum with drift is one without,
 * against bounds that are lower by its mean.
 */
export function crossedAbove(looks: readonly Look[]): number[] {
  let grid: Grid | null = null;
  let above = 0;
  return looks.map(({ upper, lower }, index) => {
    const before = grid;
    above += before === null ? (index === 0 ? normalTail(upper) : 0) : crossing(before, upper);
    grid = index > 0 && before === null ? null : advance(before, { upper, lower }, Math.sqrt(index + 1));
    return Math.min(1, above);
  });
}

interface Grid {
  readonly low: number;
  readonly step: number;
  /** Sub-density times Simpson's weight, at each point. */
  readonly weights: Float64Array;
}

/** Odd, as Simpson's rule requires. */
const points = 161;
/** Farthest deviation that counts, in standard deviations: beyond it, the probability is about 1e-12. */
const farthest = 7;

function crossing({ low, step, weights }: Grid, bound: number): number {
  return weights.reduce((sum, weight, index) => sum + weight * normalTail(bound - (low + index * step)), 0);
}

/** Returns the sub-density of sums that go on; null where none do. */
function advance(before: Grid | null, { upper, lower }: Look, deviation: number): Grid | null {
  const low = Math.max(lower, -farthest * deviation);
  const high = Math.min(upper, farthest * deviation);
  if (high <= low) return null;
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
  return before.weights.reduce(
    (total, weight, index) => total + weight * normalDensity(sum - (before.low + index * before.step)),
    0,
  );
}
