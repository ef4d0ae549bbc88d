import type { OtherRules, TaskEvidence } from "./pairs.ts";
import { median } from "./robust-fit.ts";

/** One round of one task: the logarithm of tokens without the change over tokens with it, and its precision. */
export interface Contrast {
  /** Positive where the change is cheaper. */
  readonly value: number;
  /**
   * 1 for two completed runs; less for one, which is compared with what the task usually takes; more where a side is the
   * mean of several.
   */
  readonly precision: number;
  /** The task's weight. */
  readonly weight: number;
  readonly others: OtherRules;
}

/** Variance of a pair's difference over that of one run against the usual, doubled, whose level is itself estimated. */
export const singlePrecision = 0.45;
/** A task's usual tokens are known from this many pairs on. */
const fewestPairs = 2;
/** Pairs that a round's own level weighs as much as: rounds differ less than runs. */
const roundShrinkage = 4;

/**
 * Contrasts of all tasks. A run whose other side failed still says something: it is compared with the middle of its
 * task's pairs, at its round's level. Both sides of a pair share the rules under trial between them, so that the middle
 * is the same whichever rules the two runs had.
 */
export function contrastsOf(
  tasks: readonly Pick<TaskEvidence, "pairs" | "singles" | "weight">[],
): Contrast[] {
  const levels = tasks.map(({ pairs }) => median(pairs.map(middleOf)));
  const deviations = new Map<number, number[]>();
  for (const [index, { pairs }] of tasks.entries())
    for (const pair of pairs) {
      const known = deviations.get(pair.round);
      const deviation = middleOf(pair) - (levels[index] ?? 0);
      if (known === undefined) deviations.set(pair.round, [deviation]);
      else known.push(deviation);
    }
  const roundLevel = (round: number) => {
    const own = (deviations.get(round) ?? []).toSorted((one, other) => one - other);
    return own.reduce((sum, each) => sum + each, 0) / (own.length + roundShrinkage);
  };
  return tasks.flatMap(({ pairs, singles, weight }, index) => {
    const full = pairs.map(({ logs: [before, after], runs: [without, withIt], others }) => {
      return { value: before - after, precision: 2 / (1 / without + 1 / withIt), weight, others };
    });
    if (pairs.length < fewestPairs) return full;
    const alone = singles.map(({ round, side, log, others }) => {
      const dearer = log - (levels[index] ?? 0) - roundLevel(round);
      return { value: (side === 1 ? -2 : 2) * dearer, precision: singlePrecision, weight, others };
    });
    return [...full, ...alone];
  });
}

function middleOf({ logs: [before, after] }: { readonly logs: readonly [number, number] }): number {
  return (before + after) / 2;
}
