import type { UnsteadyRuns } from "../bench-request.ts";
import type { BenchRun } from "../run-facts.ts";

/**
 * Completed runs of one task and configuration are unsteady when they differ by more than this share of the smaller.
 */
const unsteadyFrom = 0.25;

/** Tasks whose completed runs differ by more than a quarter, by side and task. */
export function unsteadyRuns(runs: readonly BenchRun[]): UnsteadyRuns[] {
  const groups = new Map<string, UnsteadyRuns>();
  for (const { outcome, side, taskId, processingTokens: tokens } of runs) {
    if (outcome !== "passed") continue;
    const key = `${side}\n${taskId}`;
    const { minimum = tokens, maximum = tokens } = groups.get(key) ?? {};
    groups.set(key, { side, taskId, minimum: Math.min(minimum, tokens), maximum: Math.max(maximum, tokens) });
  }
  return [...groups.values()].filter(({ minimum, maximum }) => maximum > minimum * (1 + unsteadyFrom));
}
