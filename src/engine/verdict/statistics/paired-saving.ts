import { meanOf, type Pair, type TaskEvidence } from "./pairs.ts";

/**
 * Evidence of paired runs about tokens saved. Costs of runs are heavy-tailed, differ between tasks by a
 * multiple, and have an unknown distribution, so no distribution is assumed. If the change did nothing, the
 * two runs of a pair could be swapped: given their costs, only the sign of the difference is left to chance,
 * like a fair coin. A weighted sum of such signs, divided by the root of the sum of their squared weights,
 * has mean 0 and variance 1 exactly, whatever the costs were, and cannot exceed the root of the number of
 * pairs (Efron 1969; de la Peña 1999). That sum is compared after each round with `boundaries.ts`.
 *
 * The difference is tamed: (before - after) / (before + after), between -1 and 1, times the task's mean
 * tokens. One run that went astray counts once, not a hundred times. Swapping a pair flips the sign, so the
 * above still holds.
 */
export interface PairedSaving {
  /** Pairs of all tasks. */
  readonly count: number;
  /** Tasks with a pair. */
  readonly tasks: number;
  /** Weighted mean tokens of paired runs without the change. */
  readonly meanBefore: number;
  /** Weighted mean tokens saved, not tamed: heavy tails included. */
  readonly meanSaved: number;
  /** The share saved that has as much evidence above it as below. */
  readonly share: number;
  /**
   * The standardized sum: the evidence for saving more than this share. Large where nearly all pairs saved
   * more; falls as the share rises.
   */
  evidence(share: number): number;
  /** Returns the range of shares against which the pairs show no more evidence than `boundary`. */
  interval(boundary: number): { readonly low: number; readonly high: number };
}

interface WeighedPair extends Pair {
  readonly weight: number;
}

/** Limit for the logarithm of before / after: no more than a hundred times cheaper or dearer is ever reported. */
const farthest = Math.log(100);

export function pairedSaving(tasks: readonly Pick<TaskEvidence, "pairs" | "weight">[]): PairedSaving {
  const withPairs = tasks.filter(({ pairs }) => pairs.length > 0);
  const pairs = withPairs.flatMap(weighTask);
  const weights = withPairs.map(({ weight, pairs: own }) => weight * own.length);
  const evidenceAt = (exponent: number) => standardizedSum(pairs, Math.exp(exponent));
  const where = (level: number) => bisect((exponent) => evidenceAt(exponent) > level);
  return {
    count: pairs.length,
    tasks: withPairs.length,
    meanBefore: weightedMean(
      withPairs.map(({ pairs: own }) => meanOf(own.map(({ before }) => before))),
      weights,
    ),
    meanSaved: weightedMean(
      withPairs.map(({ pairs: own }) => meanOf(own.map(({ before, after }) => before - after))),
      weights,
    ),
    share: toShare(where(0)),
    evidence: (share) => evidenceAt(toExponent(share)),
    interval: (boundary) => ({ low: toShare(where(boundary)), high: toShare(where(-boundary)) }),
  };
}

/** Converts an exponent, the logarithm of before / after, to the share saved: one minus after / before. */
function toShare(exponent: number): number {
  return exponent === 0 ? 0 : 1 - Math.exp(-exponent);
}

function toExponent(share: number): number {
  const exponent = share < 1 ? -Math.log(1 - share) : farthest;
  return Math.min(farthest, Math.max(-farthest, exponent));
}

/** Weighs a pair by its task's weight and by the mean of the task's runs: tokens, not shares, are summed. */
function weighTask({ pairs, weight }: Pick<TaskEvidence, "pairs" | "weight">): WeighedPair[] {
  const size = meanOf(pairs.map(({ before, after }) => (before + after) / 2));
  return pairs.map((pair) => ({ ...pair, weight: weight * size }));
}

function standardizedSum(pairs: readonly WeighedPair[], factor: number): number {
  let [sum, squares] = [0, 0];
  for (const { before, after, weight } of pairs) {
    const total = before + after * factor;
    const tamed = total > 0 ? (weight * (before - after * factor)) / total : 0;
    sum += tamed;
    squares += tamed * tamed;
  }
  return squares > 0 ? sum / Math.sqrt(squares) : 0;
}

function weightedMean(values: readonly number[], weights: readonly number[]): number {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  if (whole === 0) return 0;
  return values.reduce((sum, value, index) => sum + value * ((weights[index] ?? 0) / whole), 0);
}

/** Returns where `isBelow` turns from true to false within the reported range. */
function bisect(isBelow: (exponent: number) => boolean): number {
  let [low, high] = [-farthest, farthest];
  for (let halving = 0; halving < 40; halving += 1) {
    const middle = (low + high) / 2;
    if (isBelow(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
