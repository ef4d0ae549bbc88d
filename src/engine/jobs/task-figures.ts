import { confidenceLevel } from "../base/confidence.ts";
import { mean, sum } from "../base/numbers.ts";
import { isEvidence, type BenchRun } from "../bench/run-facts.ts";
import type { Interval } from "../verdict/verdict.ts";
import type { SideFigures, TaskFigures, TaskView } from "./bench-answers.ts";

/** Processing tokens. */
export interface Reference {
  readonly run1: number;
  readonly best: number;
}

export type ReferenceOf = (run: ReferenceKey) => Reference | undefined;
export type ReferenceKey = Pick<BenchRun, "agent" | "taskHash" | "model" | "suiteHash" | "driver">;

/** A larger ratio between runs of one configuration is flagged. */
const unsteadyAbove = 1.25;

/**
 * The ledger's references, else the first completed run and the cheapest one. Runs may come in any order and from any bench; those not yet in the
 * ledger may improve the best figure.
 */
export function referencesOf(
  runs: readonly BenchRun[],
  baselines: readonly (ReferenceKey & Reference)[] = [],
): ReferenceOf {
  const found = new Map<string, Reference>(
    baselines.map((one) => [keyOf(one), { run1: one.run1, best: one.best }]),
  );
  const completed = runs.filter(({ outcome }) => outcome === "passed");
  for (const run of completed.toSorted((one, other) => one.startedAt - other.startedAt)) {
    const before = found.get(keyOf(run)) ?? { run1: run.processingTokens, best: run.processingTokens };
    found.set(keyOf(run), { ...before, best: Math.min(before.best, run.processingTokens) });
  }
  return (run) => found.get(keyOf(run));
}

function keyOf({ agent, taskHash, model, suiteHash, driver }: ReferenceKey): string {
  return JSON.stringify([agent, taskHash, model, suiteHash, driver]);
}

/** Tokens count completed runs alone: a cheap failure is a failure. */
export function figuresOfTasks(
  input: {
    readonly side: number;
    readonly tasks: readonly TaskView[];
    readonly runs: readonly BenchRun[];
    readonly of: Omit<ReferenceKey, "taskHash">;
  },
  referenceOf: ReferenceOf,
): TaskFigures[] {
  const { side, tasks, runs } = input;
  return tasks.map(({ id, hash }) => {
    const own = runs.filter((run) => run.side === side && run.taskId === id && isEvidence(run));
    const tokens = own.filter(({ outcome }) => outcome === "passed").map((run) => run.processingTokens);
    const reference = referenceOf({ ...input.of, taskHash: hash });
    const center = tokens.length === 0 ? null : mean(tokens);
    const spread = Math.max(...tokens) / Math.max(1, Math.min(...tokens));
    return {
      taskId: id,
      side,
      runs: own.length,
      passed: tokens.length,
      mean: center,
      interval:
        center === null
          ? null
          : around(center, variance(tokens) / Math.max(1, tokens.length), tokens.length - 1),
      run1: reference?.run1 ?? null,
      best: reference?.best ?? null,
      isUnsteady: tokens.length > 1 && spread > unsteadyAbove,
    };
  });
}

/** Combines tasks that have a completed run, by their weights. */
export function figuresOfSide(
  { side, tasks, runs }: { side: number; tasks: readonly TaskView[]; runs: readonly BenchRun[] },
  figures: readonly TaskFigures[],
): SideFigures {
  const own = figures.filter((one) => one.side === side);
  const parts = own.flatMap(({ taskId, mean, run1, best }) => {
    if (mean === null) return [];
    const weight = tasks.find(({ id }) => id === taskId)?.weight ?? 1;
    const tokens = runs
      .filter((run) => run.side === side && run.taskId === taskId && run.outcome === "passed")
      .map((run) => run.processingTokens);
    return [{ weight, mean, run1, best, tokens }];
  });
  const whole = sum(parts.map(({ weight }) => weight));
  const average = (of: (part: (typeof parts)[number]) => number | null) => {
    const values = parts.map((part) => ({ value: of(part), weight: part.weight }));
    if (values.length === 0 || values.some(({ value }) => value === null)) return null;
    return sum(values.map(({ value, weight }) => ((value ?? 0) * weight) / whole));
  };
  const tokens = average(({ mean }) => mean);
  const isRepeated = parts.every((part) => part.tokens.length > 1);
  const error = sum(
    parts.map((part) => ((part.weight / whole) ** 2 * variance(part.tokens)) / part.tokens.length),
  );
  const freedom = sum(parts.map((part) => part.tokens.length - 1));
  const interval = tokens === null || !isRepeated ? null : around(tokens, error, freedom);
  const [run1, best] = [average((part) => part.run1), average((part) => part.best)];
  return {
    side,
    runs: sum(own.map((one) => one.runs)),
    passed: sum(own.map((one) => one.passed)),
    tokens,
    interval,
    run1:
      tokens === null || run1 === null || run1 === 0
        ? null
        : { share: tokens / run1, interval: interval === null ? null : scaled(interval, 1 / run1) },
    best: tokens === null || best === null || best === 0 ? null : { share: tokens / best },
  };
}

/** The confidence interval of a mean. Null if there is none. */
function around(value: number, squaredError: number, freedom: number): Interval | null {
  if (freedom < 1) return null;
  const half = studentT(freedom) * Math.sqrt(squaredError);
  return { value, low: Math.max(0, value - half), high: value + half, level: confidenceLevel };
}

function scaled({ value, low, high, level }: Interval, factor: number): Interval {
  return { value: value * factor, low: low * factor, high: high * factor, level };
}

/** The 95th percentile of Student's t, which `errorOfSide` leaves above it, from a standard table: for 1 to 30 degrees of freedom. */
const percentiles = [
  6.314, 2.92, 2.353, 2.132, 2.015, 1.943, 1.895, 1.86, 1.833, 1.812, 1.796, 1.782, 1.771, 1.761, 1.753,
  1.746, 1.74, 1.734, 1.729, 1.725, 1.721, 1.717, 1.714, 1.711, 1.708, 1.706, 1.703, 1.701, 1.699, 1.697,
];

function studentT(freedom: number): number {
  // Beyond the table: the first terms of the expansion around the normal distribution's 1.645.
  return percentiles[freedom - 1] ?? 1.645 + 1.524 / freedom;
}

/** Sample variance. */
function variance(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const center = mean(values);
  return sum(values.map((value) => (value - center) ** 2)) / (values.length - 1);
}
