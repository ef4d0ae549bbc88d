import { isEvidence, type BenchRun } from "../bench/run-facts.ts";

export { Boundaries } from "./statistics/boundaries.ts";
export { combineSavings, type SavingPart } from "./statistics/combined-saving.ts";
export { normalCdf, normalDensity, normalUpperQuantile } from "./statistics/normal.ts";
export { boundaryOf, newcombe, passRate } from "./statistics/pass-rate.ts";
export { Ridge, dot } from "./statistics/robust-fit.ts";

/** Figures of one side: means over its passed runs of tasks that both sides passed. */
export interface SideFigures {
  readonly runs: number;
  readonly processingTokens: number;
  readonly cacheRead: number;
  readonly turns: number;
  readonly toolCalls: number;
  /** Advisory: depends on the machine and the day. Milliseconds. */
  readonly durationMs: number;
}

/** Returns both sides' figures; null if no task passed on both. */
export function sideFigures(runs: readonly BenchRun[]): readonly [SideFigures, SideFigures] | null {
  const passed = runs.filter((run) => isEvidence(run) && run.outcome === "passed");
  const tasksOf = (side: number) =>
    new Set(passed.filter((run) => run.side === side).map(({ taskId }) => taskId));
  const others = tasksOf(1);
  const common = new Set([...tasksOf(0)].filter((task) => others.has(task)));
  if (common.size === 0) return null;
  const figuresOf = (side: number) =>
    meansOf(passed.filter((run) => run.side === side && common.has(run.taskId)));
  return [figuresOf(0), figuresOf(1)];
}

function meansOf(runs: readonly BenchRun[]): SideFigures {
  const mean = (value: (run: BenchRun) => number) =>
    runs.reduce((sum, run) => sum + value(run), 0) / runs.length;
  return {
    runs: runs.length,
    processingTokens: mean((run) => run.processingTokens),
    cacheRead: mean((run) => run.usage.cacheRead),
    turns: mean((run) => run.turns),
    toolCalls: mean((run) => run.toolCalls),
    durationMs: mean((run) => run.durationMs),
  };
}
