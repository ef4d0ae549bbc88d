import { isEvidence, type BenchRun } from "../bench/run-facts.ts";
import type { RunSample } from "./verdict.ts";

type Sampled = Pick<BenchRun, "taskId" | "side" | "round" | "processingTokens" | "outcome" | "program">;

/**
 * Converts the runs of a two-sided bench to samples, keeping those that are evidence about their side. A run
 * that ran out of time, turns or tokens did not pass.
 * @param weights of tasks by id; 1 where missing
 */
export function samplesOfRuns(runs: readonly Sampled[], weights: ReadonlyMap<string, number>): RunSample[] {
  return runs
    .filter(isEvidence)
    .flatMap(({ taskId, side, round, processingTokens: tokens, outcome, program }) => {
      if (side !== 0 && side !== 1) return [];
      const weight = weights.get(taskId) ?? 1;
      const known = program === undefined ? {} : { program };
      return [{ taskId, weight, side, round, tokens, passed: outcome === "passed", ...known }];
    });
}
