import type { RunSample } from "../verdict.ts";

/** One round of one task, completed on both sides. Processing tokens. */
export interface Pair {
  readonly before: number;
  readonly after: number;
}

/** Evidence of one task. */
export interface TaskEvidence {
  readonly taskId: string;
  readonly weight: number;
  readonly pairs: readonly Pair[];
  readonly runs: readonly [number, number];
  readonly passed: readonly [number, number];
  /** Failed runs that spent so little that they hardly began; they count as failed, but prove no regression. */
  readonly hollow: readonly [number, number];
}

/** A failed run below this share of a completed run's tokens did not work on the task. */
const realShare = 0.1;

/**
 * Groups samples by task, sorted by id, and pairs them by round. Drops impossible measurements (negative or
 * non-finite tokens, a weight that is not positive). Where a round has several runs of a side, pairs their
 * means.
 */
export function gatherTasks(samples: readonly RunSample[]): TaskEvidence[] {
  const byTask = new Map<string, RunSample[]>();
  for (const sample of samples.filter(isMeasured)) {
    const known = byTask.get(sample.taskId);
    if (known === undefined) byTask.set(sample.taskId, [sample]);
    else known.push(sample);
  }
  return [...byTask.entries()]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([taskId, runs]) => gatherTask(taskId, runs));
}

function isMeasured({ tokens, weight }: RunSample): boolean {
  return tokens >= 0 && tokens < Infinity && weight > 0 && weight < Infinity;
}

function gatherTask(taskId: string, runs: readonly RunSample[]): TaskEvidence {
  const completed = runs.filter(({ passed }) => passed);
  const least = realShare * medianOf(completed.map(({ tokens }) => tokens));
  const count = (isCounted: (run: RunSample) => boolean): [number, number] => [
    runs.filter((run) => run.side === 0 && isCounted(run)).length,
    runs.filter((run) => run.side === 1 && isCounted(run)).length,
  ];
  return {
    taskId,
    weight: runs.reduce((most, { weight }) => Math.max(most, weight), 0),
    pairs: pairRounds(completed),
    runs: count(() => true),
    passed: count(({ passed }) => passed),
    hollow: count(({ passed, tokens }) => !passed && (tokens === 0 || tokens < least)),
  };
}

function pairRounds(completed: readonly RunSample[]): Pair[] {
  const rounds = [...new Set(completed.map(({ round }) => round))].sort((one, other) => one - other);
  return rounds.flatMap((round) => {
    const side = (wanted: 0 | 1) =>
      completed.filter((run) => run.round === round && run.side === wanted).map(({ tokens }) => tokens);
    const [before, after] = [side(0), side(1)];
    return before.length === 0 || after.length === 0
      ? []
      : [{ before: meanOf(before), after: meanOf(after) }];
  });
}

/** @param values not empty; sorted before summing, so that their order never shows in the last digit */
export function meanOf(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other).reduce((sum, value) => sum + value, 0) / values.length;
}

/** The lower of the two middle values; 0 for none. */
function medianOf(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor((values.length - 1) / 2)] ?? 0;
}
