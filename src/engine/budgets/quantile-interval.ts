/** Bounds of a distribution's quantile, derived only from the ranks of a sample. */
export interface QuantileInterval {
  /** Null if the sample is too small for a bound on this side. */
  readonly low: number | null;
  readonly high: number | null;
}

/** Error probability of each side: 95 % for both. */
const errorOfSide = 0.025;

/**
 * Returns an interval that covers the quantile in at least 95 of 100 cases, whatever the distribution: how many of n numbers are
 * below the quantile is binomial, so two of their ranks bound it (David and Nagaraja, Order Statistics, section 7.1). It assumes
 * independent numbers from one distribution, which is only nearly true of an agent's runs.
 *
 * @param sorted ascending
 */
export function quantileInterval(sorted: readonly number[], share: number): QuantileInterval {
  const below = cumulativeBinomial(sorted.length, share);
  // P(fewer than `rank` numbers are below the quantile), in which case the number of this rank is above it.
  const isBelow = (rank: number) => (below[rank - 1] ?? 0) <= errorOfSide;
  const isAbove = (rank: number) => 1 - (below[rank - 1] ?? 0) <= errorOfSide;
  const ranks = sorted.map((_, index) => index + 1);
  const lowRank = ranks.findLast(isBelow);
  const highRank = ranks.find(isAbove);
  return {
    low: lowRank === undefined ? null : (sorted[lowRank - 1] ?? null),
    high: highRank === undefined ? null : (sorted[highRank - 1] ?? null),
  };
}

/** P(at most k of n), for k from 0. Exact enough for the few dozen numbers it is used with. */
function cumulativeBinomial(n: number, share: number): number[] {
  const all: number[] = [];
  let [term, total] = [(1 - share) ** n, 0];
  for (let k = 0; k <= n; k += 1) {
    total += term;
    all.push(total);
    term *= ((n - k) / (k + 1)) * (share / (1 - share));
  }
  return all;
}
