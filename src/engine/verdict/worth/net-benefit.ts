import { normalCdf, normalUpperQuantile } from "../statistics/normal.ts";
import { type Belief, chanceBelow, expectedLeft } from "./belief.ts";

/** For what a rule would be used, until the next model. */
export interface Use {
  /** Sessions of the agent. */
  readonly perWeek: number;
  /** Until the next model. */
  readonly weeks: number;
  /** Processing tokens of a session. */
  readonly tokensPerSession: number;
}

/** A cost of at least this share of tokens is harm. */
const harm = 0.02;
/** A rule that does harm with a higher chance is never worth having. */
const maxChanceOfHarm = 0.3;
/** Further rounds that are looked at together: one alone may not change any decision, and several do (Frazier and Powell 2010). */
const batches = [1, 2, 3, 4, 6, 8, 12, 16, 24];

export function chanceOfHarm(belief: Belief): number {
  return chanceBelow(-harm, belief);
}

/** The lowest mean exponent at which a rule is worth having, if its exponent is known with this deviation. */
function leastMean(rentShare: number, deviation: number): number {
  const earns = -Math.log(1 - rentShare) + deviation ** 2 / 2;
  const harmless = normalUpperQuantile(maxChanceOfHarm) * deviation - Math.log(1 + harm);
  return Math.max(earns, harmless);
}

/** @param rent processing tokens of a session that the rule itself takes */
export function isWorthHaving(belief: Belief, tokensPerSession: number, rent: number): boolean {
  return belief.mean > leastMean(rent / tokensPerSession, belief.deviation);
}

/** Expected processing tokens that a rule saves in a session, less its own. */
export function netPerSession(belief: Belief, tokensPerSession: number, rent: number): number {
  return tokensPerSession * (1 - expectedLeft(belief)) - rent;
}

interface Waiting {
  readonly belief: Belief;
  readonly rent: number;
}

/**
 * The processing tokens that these rules are expected to earn by further rounds, less what those take, at the best number
 * of rounds; the expected value of sample information (Raiffa and Schlaifer 1961). At most 0: measuring pays no more.
 * @param tokensOfRound all runs of a round
 * @param maxRounds that may be made
 */
export function valueOfMeasuring(
  rules: readonly Waiting[],
  use: Use,
  { tokensOfRound, maxRounds = Infinity }: { readonly tokensOfRound: number; readonly maxRounds?: number },
): number {
  const best = bestMeasurement(rules, use, { tokensOfRound, maxRounds });
  return Math.max(0, use.perWeek * use.weeks * best.perSession - best.rounds * tokensOfRound);
}

/** The number of further rounds that is expected to earn most, and what a decision after them saves of a session. */
export function bestMeasurement(
  rules: readonly Waiting[],
  use: Use,
  { tokensOfRound, maxRounds = Infinity }: { readonly tokensOfRound: number; readonly maxRounds?: number },
): { readonly rounds: number; readonly perSession: number } {
  const sessions = use.perWeek * use.weeks;
  const all = batches
    .filter((rounds) => rounds <= maxRounds)
    .map((rounds) => {
      const earned = rules.reduce((sum, rule) => sum + gainOf(rule, use, rounds), 0);
      return { rounds, perSession: use.tokensPerSession * earned };
    });
  const net = (one: { readonly rounds: number; readonly perSession: number }) =>
    sessions * one.perSession - one.rounds * tokensOfRound;
  return all.toSorted((one, other) => net(other) - net(one))[0] ?? { rounds: 0, perSession: 0 };
}

/** What a decision after further rounds is expected to save of a session's tokens, beyond the decision that is best now. */
function gainOf({ belief, rent }: Waiting, { tokensPerSession }: Use, rounds: number): number {
  const rentShare = rent / tokensPerSession;
  const { mean, deviation, variances, ofRound } = belief;
  const moved = variances.reduce((sum, variance, index) => {
    const told = variance * variance * rounds * (ofRound[index] ?? 0);
    return sum + (told === 0 ? 0 : told / (1 + variance * rounds * (ofRound[index] ?? 0)));
  }, 0);
  const step = Math.sqrt(moved);
  const left = expectedLeft(belief);
  const now = mean > leastMean(rentShare, deviation) ? 1 - rentShare - left : 0;
  if (step < 1e-9) return 0;
  // The mean after the rounds is normal around the present one; the rule goes in where it is high enough.
  const above = (mean - leastMean(rentShare, Math.sqrt(Math.max(0, deviation ** 2 - moved)))) / step;
  return Math.max(0, (1 - rentShare) * normalCdf(above) - left * normalCdf(above - step) - now);
}
