import { RenewedSet } from "./renewed-set.ts";
import type { GuardAdvice } from "../../ledger/ledger-answers.ts";

/** Known outcomes of one rule's advice. Unknown outcomes count as neither. */
interface HelpCounts {
  /** Advice that was followed, or led to progress. */
  readonly helped: number;
  /** Advice that was ignored, or false. */
  readonly failed: number;
}

/**
 * Advice that helps less than one time in four becomes silent. Even ignored advice is read, and it stays in the context for the rest of
 * the session.
 */
export const minHelp = 0.25;
/** Maximum share of rules that become silent although they help often enough, over any time. */
export const maxError = 0.05;

/** Maximum outcomes counted. More would change little. */
const maxCounted = 1000;

/**
 * Returns the highest share of advice that may help, given its outcomes. Unlike the bounds of Wilson or of Clopper and Pearson,
 * it holds at every look: it is where a likelihood ratio against that share, mixed evenly over all lower shares, reaches 1 to
 * the error. By Ville's inequality the ratio ever reaches this with at most that probability if the true share is not lower.
 */
export function helpAtMost(counts: HelpCounts): number {
  let [low, high] = [0, 1];
  for (let round = 0; round < 30; round += 1) {
    const middle = (low + high) / 2;
    if (logEvidence(counts, middle) >= -Math.log(maxError)) high = middle;
    else low = middle;
  }
  return high;
}

/** Tests whether advice with these outcomes becomes silent. */
export function helpsTooLittle(counts: HelpCounts): boolean {
  return logEvidence(counts, minHelp) >= -Math.log(maxError);
}

/** Logarithm of the likelihood of lower shares, mixed evenly, over that of a share. */
function logEvidence({ helped, failed }: HelpCounts, share: number): number {
  const all = helped + failed;
  const scale = Math.min(1, maxCounted / Math.max(1, all));
  const [yes, no] = [Math.round(helped * scale), Math.round(failed * scale)];
  const own = yes * Math.log(share) + no * Math.log1p(-share);
  return logMixture(yes, no, share) - Math.log(share) - own;
}

/** Logarithm of the integral of q^yes (1-q)^no from 0 to `top`: the tail of a binomial distribution, divided by its coefficient. */
function logMixture(yes: number, no: number, top: number): number {
  const trials = yes + no + 1;
  // The terms P(X = k) for k > yes, each from the one before.
  let term = logChoose(trials, yes + 1) + (yes + 1) * Math.log(top) + no * Math.log1p(-top);
  let sum = term;
  for (let k = yes + 1; k < trials; k += 1) {
    term += Math.log(trials - k) - Math.log(k + 1) + Math.log(top) - Math.log1p(-top);
    sum = Math.max(sum, term) + Math.log1p(Math.exp(-Math.abs(sum - term)));
  }
  return sum - logChoose(trials - 1, yes) - Math.log(trials);
}

function logChoose(of: number, chosen: number): number {
  let sum = 0;
  for (let k = 1; k <= chosen; k += 1) sum += Math.log(of - chosen + k) - Math.log(k);
  return sum;
}

interface SilencePorts {
  /** Known outcomes from the ledger: of advice by rule, and of continuity's messages by kind. Null without a ledger. */
  readonly advice: () => Promise<readonly GuardAdvice[] | null>;
  /** Monotonic clock. Milliseconds. */
  readonly elapsed: () => number;
  readonly onProblem: (message: string) => void;
}

/** The rules that fell silent, by the outcomes of all sessions in the ledger. Until the first answer, no rule is silent. */
export function silentRules({ advice, ...ports }: SilencePorts): RenewedSet {
  return new RenewedSet({
    ...ports,
    read: async () => {
      const known = await advice();
      return known === null ? null : new Set(known.filter(helpsTooLittle).map(({ rule }) => rule));
    },
    problem: "Which guard rules are silent is not known",
    interval: 10_000,
  });
}
