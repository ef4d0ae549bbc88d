import type { Verdict } from "./verdict.ts";

export interface Consequence {
  readonly action: "activate" | "keep" | "shelve" | "evict";
  /** Consecutive re-audits against the rule: more than one only for a protected rule, which stays. */
  readonly strikes: number;
}

/**
 * Activates a candidate that is shown to save, evicts one with a shown fault, and shelves any other with its evidence.
 */
export function admit(verdict: Verdict): Consequence {
  if (verdict.kind === "saves") return { action: "activate", strikes: 0 };
  return { action: isAgainst(verdict) || isWorse(verdict) ? "evict" : "shelve", strikes: 0 };
}

/**
 * Evicts an active rule that is shown to break a task, to cost tokens, to save less than its bar, or to make runs fail.
 * A shown fault holds at its error rate over all audits of a rule together, so one is enough. Noise evicts nothing: an
 * inconclusive re-audit changes nothing. Keeping a useless rule costs its rent, some dozens of tokens per session,
 * while losing one that saves a twentieth of a run costs thousands.
 */
export function retain(verdict: Verdict, strikes: number): Consequence {
  if (!isAgainst(verdict) && !isWorse(verdict)) return { action: "keep", strikes: 0 };
  return { action: "evict", strikes: strikes + 1 };
}

/** Results of measuring a whole set of rules before its admission. */
export const setDecisions = ["confirmed", "refused", "undecided"] as const;
export type SetDecision = (typeof setDecisions)[number];

/** Confirms a set that is shown to save, and refuses one with a shown fault, like a candidate. */
export function confirm(verdict: Verdict): SetDecision {
  if (verdict.kind === "saves") return "confirmed";
  return isAgainst(verdict) || isWorse(verdict) ? "refused" : "undecided";
}

function isAgainst({ kind, belowBar }: Verdict): boolean {
  return kind === "regression" || kind === "costs" || belowBar;
}

function isWorse({ kind, stop }: Verdict): boolean {
  return kind === "cheaper-not-as-good" && stop === "decided";
}

export interface Passed {
  readonly passed: number;
  readonly runs: number;
}

/**
 * Returns how often noise alone would make a task look as if the change broke it: Boschloo's exact test (1970),
 * one-sided. It sums the probabilities of all tables that are at least as bad in Fisher's test, at the failure rate,
 * equal on both sides, that makes them likeliest. It holds for any failure rate, even for a task that fails every other
 * time, and decides with fewer runs than Fisher's own test: with four of four passed before and none of four now it
 * gives 0.4 %, Fisher's 1.4 %.
 */
export function chanceOfBreak(before: Passed, after: Passed): number {
  if (before.runs === 0 || after.runs === 0) return 1;
  if (after.passed / after.runs >= before.passed / before.runs) return 1;
  const found = fisher(before, after);
  // Fisher's result is never smaller, so it errs on the safe side where Boschloo's would not decide or would take long.
  if (found > notWorthIt || before.runs * after.runs > manyTables) return found;
  const key = [before.passed, before.runs, after.passed, after.runs].join();
  const known = kept.get(key) ?? boschloo({ before, after }, found);
  if (kept.size >= maxKept) kept.clear();
  kept.set(key, known);
  return known;
}

/** Results by their counts: each look repeats most tasks' questions. Small, because counts are small. */
const kept = new Map<string, number>();
const maxKept = 10_000;

/** @param found Fisher's result */
function boschloo(
  { before, after }: { readonly before: Passed; readonly after: Passed },
  found: number,
): number {
  const tables: { readonly log: number; readonly passed: number }[] = [];
  for (let first = 0; first <= before.runs; first += 1)
    for (let second = 0; second <= after.runs; second += 1)
      if (fisher({ ...before, passed: first }, { ...after, passed: second }) <= found * (1 + 1e-9))
        tables.push({
          log: logChoose(before.runs, first) + logChoose(after.runs, second),
          passed: first + second,
        });
  const runs = before.runs + after.runs;
  let most = 0;
  for (let step = 1; step < rates; step += 1) {
    const [pass, fail] = [Math.log(step / rates), Math.log(1 - step / rates)];
    let sum = 0;
    for (const { log, passed } of tables) sum += Math.exp(log + passed * pass + (runs - passed) * fail);
    most = Math.max(most, sum);
  }
  return Math.min(1, most);
}

const notWorthIt = 0.25;
const manyTables = 1000;

/** Number of pass rates tried: one per half a percent. */
const rates = 200;

/** Fisher's exact test, one-sided: the probability, given the total passed, that the second side has no more of them. */
function fisher(before: Passed, after: Passed): number {
  const passed = before.passed + after.passed;
  const all = logChoose(before.runs + after.runs, passed);
  let sum = 0;
  for (let second = Math.max(0, passed - before.runs); second <= after.passed; second += 1)
    sum += Math.exp(logChoose(before.runs, passed - second) + logChoose(after.runs, second) - all);
  return sum;
}

/**
 * Returns how often chance alone would leave so few passed runs after the change, given how many passed in each group
 * of runs: the exact conditional test of several tables (Mantel 1963), one-sided. 1 if no group has both sides.
 */
export function chanceWithin(groups: readonly (readonly [before: Passed, after: Passed])[]): number {
  let [distribution, least, found] = [[1], 0, 0];
  for (const [before, after] of groups) {
    const passed = before.passed + after.passed;
    const from = Math.max(0, passed - before.runs);
    const to = Math.min(after.runs, passed);
    const all = logChoose(before.runs + after.runs, passed);
    const own = Array.from({ length: to - from + 1 }, (_, index) => {
      const second = from + index;
      return Math.exp(logChoose(before.runs, passed - second) + logChoose(after.runs, second) - all);
    });
    distribution = convolved(distribution, own);
    least += from;
    found += after.passed;
  }
  return Math.min(
    1,
    distribution.slice(0, found - least + 1).reduce((sum, each) => sum + each, 0),
  );
}

function convolved(one: readonly number[], other: readonly number[]): number[] {
  const sums = Array.from({ length: one.length + other.length - 1 }, () => 0);
  for (const [first, left] of one.entries())
    for (const [second, right] of other.entries())
      sums[first + second] = (sums[first + second] ?? 0) + left * right;
  return sums;
}

const logFactorials = [0];

function logFactorial(n: number): number {
  for (let next = logFactorials.length; next <= n; next += 1)
    logFactorials.push((logFactorials[next - 1] ?? 0) + Math.log(next));
  return logFactorials[n] ?? 0;
}

function logChoose(n: number, k: number): number {
  return logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}
