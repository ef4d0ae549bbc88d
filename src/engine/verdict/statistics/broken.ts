import { chanceOfBreak, chanceWithin, type Passed } from "../retention.ts";
import type { RunSample } from "../verdict.ts";

/** Part of the error rate for the runs of all tasks together; the single tasks share the rest. */
export const partOfAllTasks = 0.64;

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
