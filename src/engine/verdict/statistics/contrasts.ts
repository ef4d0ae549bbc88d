import { median } from "../../base/numbers.ts";
import { meanOf, sumOf, type OtherRules, type TaskEvidence } from "./pairs.ts";

/** Two runs of one round of one task: the logarithm of tokens without the change over tokens with it, and its precision. */
export interface Contrast {
  /** Positive where the change is cheaper. */
  readonly value: number;
  /** 1 for two runs; less for one, which is compared with the task's usual tokens. */
  readonly precision: number;
  /** The task's weight; several contrasts in a round share it. */
  readonly weight: number;
  /** Contrasts of one round of one task share runs: they have one number, and form one term of a sum. */
  readonly block: number;
  /** Number of its task. */
  readonly task: number;
  /** Its part of its block's information: its weight squared, times the precision of the block. */
  readonly information: number;
  readonly others: OtherRules;
}

/**
 * Precision of a single run's contrast: the variance of a pair's difference over that of twice the run's distance from
 * the usual level, which is itself estimated.
 */
const singlePrecision = 0.45;
/** Minimum pairs from which a task's usual tokens are known. */
const minPairs = 2;
/** Pairs without deviation that are added to a round's own level, to shrink it: rounds differ less than runs. */
const roundShrinkage = 4;

/**
 * Contrasts of all tasks. A run with a failed other side is still evidence: it is compared with the median of its
 * task's pairs, at its round's level. Both sides of a pair share the rules under trial between them, so that the median
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
    const own = deviations.get(round) ?? [];
    return sumOf(own) / (own.length + roundShrinkage);
  };
  let blocks = 0;
  return tasks.flatMap(({ pairs, singles, weight }, index) => {
    const full = pairs.flatMap((pair) =>
      contrastsOfPair(pair, weight * pair.counts, { block: blocks++, task: index }),
    );
    if (pairs.length < minPairs) return full;
    const alone = singles.map(({ round, side, log, others, counts }) => {
      const dearer = log - (levels[index] ?? 0) - roundLevel(round);
      const own = weight * counts;
      const information = own * own * singlePrecision;
      const value = (side === 1 ? -2 : 2) * dearer;
      const place = { block: blocks++, task: index };
      return { value, precision: singlePrecision, weight: own, ...place, information, others };
    });
    return [...full, ...alone];
  });
}

/**
 * Contrasts of a pair. If the unchanged side has several runs, as controls of several arms, each is compared with the
 * changed one. Without an effect, such a difference is as often above zero as below, however skewed the costs are; a
 * difference from a mean is not.
 */
function contrastsOfPair(
  { logs, others }: TaskEvidence["pairs"][number],
  weight: number,
  place: Pick<Contrast, "block" | "task">,
) {
  const [before, after] = logs;
  const count = before.length * after.length;
  // A mean of several runs varies less than one: the block's precision, where that of two runs is 1.
  const precise = 2 / (1 / before.length + 1 / after.length);
  const information = (weight * weight * precise) / count;
  const contrasts: Contrast[] = [];
  for (const one of before)
    for (const other of after) {
      const own = (weight * precise) / count;
      contrasts.push({ value: one - other, precision: 1, weight: own, ...place, information, others });
    }
  return contrasts;
}

function middleOf({ logs: [before, after] }: Pick<TaskEvidence["pairs"][number], "logs">): number {
  return (meanOf(before) + meanOf(after)) / 2;
}
