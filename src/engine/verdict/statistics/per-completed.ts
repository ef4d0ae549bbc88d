import type { Interval } from "../verdict.ts";
import { wilson, type Bounds, type Counted } from "./pass-rate.ts";

/** Tokens saved as a share of a run's tokens, whether it passed or not. */
interface SavedTokens {
  readonly share: number;
  interval(boundary: number): { readonly low: number; readonly high: number };
}

/**
 * Returns the share saved of the tokens per completed task: the tokens of all runs of a side, failed ones included, over
 * its passed runs. It is the saving of tokens per run, reduced by the share of passes lost. Whoever uses the change
 * starts a failed task again.
 *
 * Its interval is recovered from those of its three parts, on the logarithm (MOVER: Zou and Donner 2008). Tokens have
 * the interval of the random draw (`log-saving.ts`), and passes Wilson's. So heavy tails stay bounded, and a side that
 * never failed is not taken for one that cannot fail.
 * @returns null if a side has no passed run
 */
export function savingPerCompleted(
  saved: SavedTokens,
  [before, after]: readonly [Counted, Counted],
  { boundary, level }: Bounds,
): Interval | null {
  if (before.passed === 0 || after.passed === 0) return null;
  const tokens = saved.interval(boundary);
  const [value, least, most] = [exponentOf(saved.share), exponentOf(tokens.low), exponentOf(tokens.high)];
  const rates = [before, after].map((side) => {
    const { low, high } = wilson(side.passed, side.runs, boundary);
    const rate = Math.log(side.passed / side.runs);
    return { rate, below: rate - Math.log(low), above: Math.log(high) - rate };
  });
  const [without, withIt] = rates;
  if (without === undefined || withIt === undefined) return null;
  const whole = value + withIt.rate - without.rate;
  const low = whole - Math.hypot(value - least, withIt.below, without.above);
  const high = whole + Math.hypot(most - value, withIt.above, without.below);
  return { value: -Math.expm1(-whole), low: -Math.expm1(-low), high: -Math.expm1(-high), level };
}

function exponentOf(share: number): number {
  return -Math.log1p(-share);
}
