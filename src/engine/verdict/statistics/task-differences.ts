import { patientSpending } from "./boundaries.ts";
import { partOfAllTasks } from "./broken.ts";
import { normalUpperQuantile } from "./normal.ts";
import { logSaving } from "./log-saving.ts";
import { meanOfPairs, type TaskEvidence } from "./pairs.ts";
import { chanceOfBreak } from "../retention.ts";
import type { Interval, TaskDifference } from "../verdict.ts";

/** Minimum pairs. With fewer, one task's own interval is meaningless. */
const minPairs = 5;

/**
 * Describes one task. Its interval covers only this look and this task: it shows where the differences are, and no
 * verdict is based on it.
 */
export function describeTask(task: TaskEvidence, alpha: number, regressed: boolean): TaskDifference {
  const { taskId, weight, pairs, runs, passed } = task;
  return {
    taskId,
    weight,
    pairs: pairs.length,
    tokens:
      pairs.length === 0
        ? null
        : [meanOfPairs(pairs, ({ before }) => before), meanOfPairs(pairs, ({ after }) => after)],
    saving: pairs.length < minPairs ? null : savingOf(task, alpha),
    runs,
    passed,
    regressed,
  };
}

function savingOf(task: TaskEvidence, alpha: number): Interval {
  const saving = logSaving([task]);
  const { share, meanBefore } = saving;
  const { low, high } = saving.interval(normalUpperQuantile(alpha));
  return { value: share * meanBefore, low: low * meanBefore, high: high * meanBefore, level: 1 - 2 * alpha };
}

/**
 * Returns the tasks that passed before and fail now, with real tokens spent, beyond noise: each by an exact test, at
 * this look's part of the error rate, shared among the tasks (Bonferroni). So the chance that noise makes any task look
 * broken, at any look, is below its part of `alpha`.
 */
export function regressedTasks(
  tasks: readonly TaskEvidence[],
  { alpha, planned, look }: { readonly alpha: number; readonly planned: number; readonly look: number },
): Set<string> {
  const spending = patientSpending(alpha * (1 - partOfAllTasks), planned);
  const part = (spending(look) - (look === 1 ? 0 : spending(look - 1))) / tasks.length;
  return new Set(tasks.filter((task) => chanceOfNoise(task) <= part).map(({ taskId }) => taskId));
}

function chanceOfNoise({ passed, runs, hollow }: TaskEvidence): number {
  const real = (side: 0 | 1) => ({ passed: passed[side], runs: runs[side] - hollow[side] });
  return chanceOfBreak(real(0), real(1));
}

/**
 * True when the task passed before, and never with the change: too early to call it broken, or to call the change as
 * good.
 */
export function isSuspect({ passed, runs }: TaskEvidence): boolean {
  return passed[0] > 0 && runs[1] > 0 && passed[1] === 0;
}
