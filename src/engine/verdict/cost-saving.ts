import { isEvidence, type BenchRun } from "../bench/run-facts.ts";
import { judge } from "./judge.ts";
import type { Interval, Question, RunSample } from "./verdict.ts";

/** Saving of a change in money: the paired estimate of tokens, made with each run's list price. */
export interface CostSaving {
  /** Mean list price of a paired run without the change. USD. */
  readonly before: number;
  /** Share saved; negative if the change costs more. */
  readonly share: Interval;
}

interface PricedRuns {
  readonly runs: readonly BenchRun[];
  /** Of tasks, by id. */
  readonly weights: ReadonlyMap<string, number>;
  /** Null where the price of a run is unknown. */
  readonly price: (runs: readonly BenchRun[]) => number | null;
}

/** The estimate is made for tokens, of which a run has thousands: it takes the logarithm of at least 1. USD. */
const unit = 1e-9;

/**
 * Null if a price is unknown, or too few tasks were finished on both sides. The interval holds at the question's level
 * after each round, as that of tokens does. It decides nothing: a model's list price can change without its work.
 */
export function costSaving({ runs, weights, price }: PricedRuns, question: Question): CostSaving | null {
  const samples: RunSample[] = [];
  for (const run of runs) {
    const { taskId, side, round, outcome } = run;
    if (!isEvidence(run) || (side !== 0 && side !== 1)) continue;
    const usd = price([run]);
    if (usd === null) return null;
    samples.push({
      taskId,
      side,
      round,
      tokens: usd / unit,
      weight: weights.get(taskId) ?? 1,
      passed: outcome === "passed",
    });
  }
  const { savingShare, tasks } = judge(samples, { ...question, bar: 0, tokenCap: null });
  if (savingShare === null) return null;
  const paired = tasks.flatMap(({ pairs, weight, tokens }) =>
    tokens === null ? [] : [{ counts: pairs * weight, usd: tokens[0] * unit }],
  );
  const whole = paired.reduce((sum, { counts }) => sum + counts, 0);
  const before = paired.reduce((sum, { counts, usd }) => sum + (counts * usd) / whole, 0);
  return { before, share: savingShare };
}
