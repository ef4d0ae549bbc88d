import { groupBy } from "../../base/group-by.ts";
import type { RunSample } from "../verdict.ts";

/** Which other rules differ between the sides of a round: 1 where the changed side has it, -1 where the unchanged one does. */
export type OtherRules = ReadonlyMap<string, 1 | -1>;

/** One round of one task, completed on both sides. */
interface Pair {
  readonly round: number;
  /** Processing tokens: means where a side has several runs. */
  readonly before: number;
  readonly after: number;
  /** Logarithms of the tokens of each side's runs. */
  readonly logs: readonly [readonly number[], readonly number[]];
  readonly others: OtherRules;
  /** How much the round counts beside a new one; see `EarlierMeasurement`. */
  readonly counts: number;
}

/** One round of one task, completed on one side alone. */
interface Single {
  readonly round: number;
  readonly side: 0 | 1;
  /** Mean of the logarithms of tokens. */
  readonly log: number;
  readonly others: OtherRules;
  readonly counts: number;
}

/** Evidence of one task. */
export interface TaskEvidence {
  readonly taskId: string;
  readonly weight: number;
  readonly pairs: readonly Pair[];
  readonly singles: readonly Single[];
  readonly runs: readonly [number, number];
  readonly passed: readonly [number, number];
  /** Failed runs that spent so little that they hardly began; they count as failed, but prove no regression. */
  readonly hollow: readonly [number, number];
}

/** A failed run below this share of a completed run's tokens did not work on the task. */
const realShare = 0.1;

/**
 * Groups samples by task, sorted by id, and pairs them by round. Drops impossible measurements (negative or
 * non-finite tokens, a weight that is not positive). Where a round has several runs of a side, as controls of several
 * arms are, pairs their means.
 */
export function gatherTasks(samples: readonly RunSample[]): TaskEvidence[] {
  const byTask = groupBy(samples.filter(isMeasured), ({ taskId }) => taskId);
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
    ...gatherRounds(runs),
    runs: count(() => true),
    passed: count(({ passed }) => passed),
    hollow: count(({ passed, tokens }) => !passed && (tokens === 0 || tokens < least)),
  };
}

function gatherRounds(runs: readonly RunSample[]): { pairs: Pair[]; singles: Single[] } {
  const [pairs, singles]: [Pair[], Single[]] = [[], []];
  const rounds = [...groupBy(runs, ({ round }) => round)].sort(([one], [other]) => one - other);
  for (const [round, own] of rounds) {
    const completed = (wanted: 0 | 1) =>
      own.filter(({ side, passed }) => side === wanted && passed).map(({ tokens }) => tokens);
    const [before, after] = [completed(0), completed(1)];
    const others = otherRules(own);
    const counts = own[0]?.measured?.counts ?? 1;
    if (before.length > 0 && after.length > 0)
      pairs.push({
        round,
        before: meanOf(before),
        after: meanOf(after),
        logs: [before.map(logOf), after.map(logOf)],
        others,
        counts,
      });
    else if (before.length > 0)
      singles.push({ round, side: 0, log: meanOf(before.map(logOf)), others, counts });
    else if (after.length > 0)
      singles.push({ round, side: 1, log: meanOf(after.map(logOf)), others, counts });
  }
  return { pairs, singles };
}

/** Failed runs count too: they say what their side had. */
function otherRules(runs: readonly RunSample[]): OtherRules {
  const had = (wanted: 0 | 1) =>
    new Set(runs.filter(({ side }) => side === wanted).flatMap(({ together }) => together ?? []));
  const [without, withIt] = [had(0), had(1)];
  return new Map([
    ...[...withIt].filter((rule) => !without.has(rule)).map((rule) => [rule, 1] as const),
    ...[...without].filter((rule) => !withIt.has(rule)).map((rule) => [rule, -1] as const),
  ]);
}

/** @param values not empty; sorted before summing, so that their order never shows in the last digit */
export function meanOf(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other).reduce((sum, value) => sum + value, 0) / values.length;
}

/** The mean of a figure of pairs, each by how much its round counts. */
export function meanOfPairs(pairs: readonly Pair[], value: (pair: Pair) => number): number {
  const whole = countOf(pairs);
  const sums = pairs.map((pair) => value(pair) * pair.counts);
  return sums.sort((one, other) => one - other).reduce((sum, each) => sum + each, 0) / whole;
}

/** How many new rounds the pairs count as. */
export function countOf(pairs: readonly Pick<Pair, "counts">[]): number {
  return pairs
    .map(({ counts }) => counts)
    .sort((one, other) => one - other)
    .reduce((sum, each) => sum + each, 0);
}

/** A completed run that took nothing counts as one token. */
function logOf(tokens: number): number {
  return Math.log(Math.max(1, tokens));
}

/** The lower of the two middle values; 0 for none. */
function medianOf(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor((values.length - 1) / 2)] ?? 0;
}
