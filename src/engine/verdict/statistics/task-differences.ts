import { patientSpending } from "./boundaries.ts";
import { normalUpperQuantile } from "./normal.ts";
import { logSaving } from "./log-saving.ts";
import { meanOfPairs, type TaskEvidence } from "./pairs.ts";
import { chanceOfBreak, chanceWithin, type Passed } from "../retention.ts";
import type { Interval, TaskDifference, RunSample } from "../verdict.ts";

/** Part of the error rate for the runs of all tasks together; the single tasks share the rest. */
const partOfAllTasks = 0.64;

/**
 * Whether fewer runs pass with the change than without, beyond noise: an exact test of the runs of all tasks. Look k
 * has a part of 1 / (k (k + 1)) of the error, half at the first. So a change that breaks everything is found at once,
 * and the chance of a false alarm stays below its part of `alpha` however many looks there are. A task has as many runs
 * on either side, so that tasks of different difficulty make the test safer (Hoeffding 1956). Runs that hardly began
 * count: a change may stop the agent.
 *
 * If other rules share the runs, one of them may cause the failures. The difference must then remain among the runs
 * with each other rule and among those without it.
 */
export function isBroken(
  samples: readonly RunSample[],
  { alpha, look }: { readonly alpha: number; readonly look: number },
): boolean {
  const part = (alpha * partOfAllTasks) / (look * (look + 1));
  if (chanceOfBreak(countOf(samples, 0), countOf(samples, 1)) > part) return false;
  const others = new Set(samples.flatMap(({ together = [] }) => together));
  return [...others].every((other) => {
    const [withIt, without] = [true, false].map((has) =>
      samples.filter(({ together = [] }) => together.includes(other) === has),
    );
    const strata = [withIt ?? [], without ?? []].map((own) => [countOf(own, 0), countOf(own, 1)] as const);
    return chanceWithin(strata) <= part;
  });
}

function countOf(samples: readonly RunSample[], side: 0 | 1): Passed {
  const own = samples.filter((sample) => sample.side === side);
  return { runs: own.length, passed: own.filter(({ passed }) => passed).length };
}

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
