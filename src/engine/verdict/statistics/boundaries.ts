import { normalTail, normalDensity } from "./normal.ts";

/** Density of a sum of independent standard normal steps that has crossed no boundary so far, on a grid. */
interface Grid {
  readonly low: number;
  readonly step: number;
  /** Sub-density times Simpson's weight, at each point. */
  readonly weights: Float64Array;
}

/** Odd, as Simpson's rule requires. */
const points = 161;
/** Maximum deviation that counts, in standard deviations: beyond it, the probability is about 1e-12. */
const farthest = 7;

/** The probability that the next sum is above `bound`. */
function crossed({ low, step, weights }: Grid, bound: number): number {
  let total = 0;
  for (let index = points - 1; index >= 0; index -= 1) {
    const distance = bound - (low + index * step);
    if (distance > farthest) break;
    total += (weights[index] ?? 0) * normalTail(distance);
  }
  return total;
}

/** Returns the density of a sum with this standard deviation, between `low` and `high`, before any comparison. */
function firstGrid(deviation: number, low: number, high: number): Grid {
  return gridOf(low, high, (sum) => normalDensity(sum / deviation) / deviation);
}

/** Adds a step, and keeps the sums between `low` and `high`. */
function advance(before: Grid, low: number, high: number): Grid {
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

/** Error that may be spent by the end of a look, counted from 1: increasing, and never above the total allowed. */
type Spending = (look: number) => number;

/**
 * Spending for evidence that is examined after each round, without an end. It spends little on the first looks, when a
 * few runs decide and their result is not yet credible. It spends most by the planned end, and never all. So a shelved
 * rule may be measured again on another day, with its earlier evidence, and the error rate of all looks together still
 * holds.
 * @param planned rounds, from 1
 * @param patience the larger, the less is spent on early looks
 */
export function patientSpending(alpha: number, planned: number, patience = usualPatience): Spending {
  return (look) => {
    const share = look / Math.max(1, planned);
    return alpha * (share <= 1 ? (1 - keptBack) * share ** patience : 1 - keptBack / share);
  };
}

const usualPatience = 1.2;
/** Of tests that must spend little on their first looks: of audits, which begin anew each time, and of failures. */
export const latePatience = 2;
/**
 * Share of the error reserved for looks after the plan. Chosen, like the exponents, with `npm run bench --
 * verdicts-together`.
 */
const keptBack = 0.1;

/**
 * The size that a standardized sum must reach at each look, so that pure noise exceeds it in no more than the share of
 * cases spent so far, however many looks there are: one-sided group-sequential boundaries by the recursion of Armitage,
 * McPherson and Rowe (1969), with an error-spending function (Lan and DeMets 1983), for looks that each add the same
 * amount of information.
 */
export class Boundaries {
  readonly #spending: Spending;
  readonly #boundaries: number[] = [];
  /** Sub-density, on a grid, of the unstandardized sum that has crossed no boundary so far; null before the first one. */
  #grid: Grid | null = null;

  constructor(spending: Spending) {
    this.#spending = spending;
  }

  /** @param look from 1 to `lastLook` */
  at(look: number): number {
    while (this.#boundaries.length < Math.min(look, lastLook)) this.#next();
    return this.#boundaries[Math.min(look, lastLook) - 1] ?? Infinity;
  }

  #next(): void {
    const look = this.#boundaries.length + 1;
    const spent = this.#spending(look) - (look === 1 ? 0 : this.#spending(look - 1));
    const grid = this.#grid;
    if (grid === null && spent === 0) {
      this.#boundaries.push(Infinity);
      return;
    }
    const root = Math.sqrt(look);
    const crossing = (sum: number) => (grid === null ? normalTail(sum / root) : crossed(grid, sum));
    const bound = bisect((sum) => crossing(sum) > spent, 0, 8 * root);
    this.#boundaries.push(bound / root);
    this.#grid = grid === null ? firstGrid(root, -6 * root, bound) : advance(grid, -6 * root, bound);
  }
}

/** Later looks reuse this look's boundary; with the patient spending it is within a hundredth of the next. */
const lastLook = 240;

/** Returns where `isBelow` turns from true to false, between `least` and `most`. */
function bisect(isBelow: (value: number) => boolean, least: number, most: number): number {
  let [low, high] = [least, most];
  for (let halving = 0; halving < 32; halving += 1) {
    const middle = (low + high) / 2;
    if (isBelow(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

const kept = new Map<string, Boundaries>();
/** Maximum cached boundaries: one for each plan and error rate. */
const maxKept = 1024;

/** Returns the boundaries of the patient spending; computed once for each plan. */
export function patientBoundaries(
  alpha: number,
  planned: number,
  patience: number = usualPatience,
): Boundaries {
  const key = `${alpha} ${planned} ${patience}`;
  const known = kept.get(key) ?? new Boundaries(patientSpending(alpha, planned, patience));
  // The least recently used one is removed first: refusing new ones would compute them at each look.
  kept.delete(key);
  kept.set(key, known);
  const [oldest] = kept.keys();
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
  return known;
}

/** Where a sum ends at one look: at or above `upper`, or at or below `lower`. Deviations from its mean at that look. */
interface Look {
  readonly upper: number;
  readonly lower: number;
}

/**
 * The probability that a sum of independent standard normal steps has ended above by each look: the same
 * recursion, with bounds that may move. A sum with drift equals one without, with bounds lowered by its mean.
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

interface State {
  readonly evidence: number;
  readonly rounds: number;
}

const farAhead = 200;

/** Returns how many more rounds the evidence needs to pass its boundary at its present pace; null if it never would. */
export function roundsUntilShown({ evidence, rounds }: State, boundaries: Boundaries): number | null {
  if (rounds === 0 || evidence <= 0) return null;
  for (let more = 0; more <= farAhead; more += 1)
    if (evidence * Math.sqrt((rounds + more) / rounds) >= boundaries.at(rounds + more)) return more;
  return null;
}
