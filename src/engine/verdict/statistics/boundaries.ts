import { normalTail } from "./normal.ts";
import { advance, crossed, firstGrid, type Grid } from "./sub-density.ts";

/** Error that may be spent by the end of a look, counted from 1: increasing, and never above the total allowed. */
export type Spending = (look: number) => number;

/**
 * Spending for evidence that is examined after each round, without an end. It spends little on the first looks, when a
 * few runs decide and their result is not yet credible. It spends most by the planned end, and never all. So a shelved
 * rule may be measured again on another day, with its earlier evidence, and the error rate of all looks together still
 * holds.
 * @param planned rounds, from 1
 * @param first the first look used; none of the error is spent before it
 */
export function patientSpending(alpha: number, planned: number, first = 1): Spending {
  return (look) => {
    const share = look / Math.max(1, planned);
    if (look < first) return 0;
    // A question that comes up later spends more at once: its runs already exist.
    const patience = first > 1 ? 1.5 : 2;
    return alpha * (share <= 1 ? (1 - keptBack) * share ** patience : 1 - keptBack / share);
  };
}

/**
 * Share of the error reserved for looks after the plan. Chosen, like the exponents, with `npm run bench --
 * verdicts-together`.
 */
const keptBack = 0.05;

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
/** Maximum cached boundaries: an active rule needs some hundreds, one for each look that may show a saving first. */
const maxKept = 1024;

/** Returns the boundaries of the patient spending; computed once for each plan. */
export function patientBoundaries(alpha: number, planned: number, first = 1): Boundaries {
  const from = Math.min(first, lastLook);
  const key = `${alpha} ${planned} ${from}`;
  const known = kept.get(key) ?? new Boundaries(patientSpending(alpha, planned, from));
  // The least recently used one is removed first: refusing new ones would compute them at each look.
  kept.delete(key);
  kept.set(key, known);
  const [oldest] = kept.keys();
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
  return known;
}
