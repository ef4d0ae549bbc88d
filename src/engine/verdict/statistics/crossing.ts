import { normalTail } from "./normal.ts";
import { advance, crossed, farthest, firstGrid, type Grid } from "./sub-density.ts";

/** Where a sum ends at one look: at or above `upper`, or at or below `lower`. Deviations from its mean at that look. */
export interface Look {
  readonly upper: number;
  readonly lower: number;
}

/**
 * The probability that a sum of independent standard normal steps has ended above by each look: the recursion of
 * Armitage, McPherson and Rowe (1969), as in `boundaries.ts`, with bounds that may move. A sum with drift equals one
 * without, with bounds lowered by its mean.
 */
export function crossedAbove(looks: readonly Look[]): number[] {
  let grid: Grid | null = null;
  let above = 0;
  return looks.map(({ upper, lower }, index) => {
    const before = grid;
    above += before === null ? (index === 0 ? normalTail(upper) : 0) : crossed(before, upper);
    grid =
      index > 0 && before === null ? null : advanceWithin(before, { upper, lower }, Math.sqrt(index + 1));
    return Math.min(1, above);
  });
}

/** Returns the sub-density of sums that continue; null if none do. */
function advanceWithin(before: Grid | null, { upper, lower }: Look, deviation: number): Grid | null {
  const low = Math.max(lower, -farthest * deviation);
  const high = Math.min(upper, farthest * deviation);
  if (high <= low) return null;
  return before === null ? firstGrid(deviation, low, high) : advance(before, low, high);
}
