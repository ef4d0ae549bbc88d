import { median, groupBy } from "../../base/numbers.ts";
import type { RunSample } from "../verdict.ts";

/** Up to this many numbers, insertion is quicker than any other sort. */
const few = 64;

/** Returns numbers in rising order. Statistics sort many thousand short lists at each look. */
export function sorted(values: ArrayLike<number>): Float64Array | number[] {
  if (values.length > few) return new Float64Array(values).sort();
  const found: number[] = [];
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? 0;
    let place = index;
    for (; place > 0 && (found[place - 1] ?? 0) > value; place -= 1) found[place] = found[place - 1] ?? 0;
    found[place] = value;
  }
  return found;
}

/**
 * The other rules that differ between the sides of a round: 1 if the changed side has it, -1 if the unchanged one does.
 */
export type OtherRules = ReadonlyMap<string, 1 | -1>;

interface Pair {
  readonly round: number;
  /** Processing tokens: means if a side has several runs. */
  readonly before: number;
  readonly after: number;
  /** Logarithms of the tokens of each side's runs. */
  readonly logs: readonly [readonly number[], readonly number[]];
  readonly others: OtherRules;
  /** Weight of the round relative to a new one; see `EarlierMeasurement`. */
  readonly counts: number;
}

interface Single {
  readonly round: number;
  readonly side: 0 | 1;
  /** Mean of the logarithms of tokens. */
  readonly log: number;
  readonly others: OtherRules;
  readonly counts: number;
}

interface TaskRound {
  readonly round: number;
  readonly runs: readonly RunSample[];
  /** The round's row if every run counts: known without the other rounds. Null if a run failed. */
  readonly passed: Pair | Single | null;
}

export interface TaskEvidence {
  readonly taskId: string;
  /** Its rounds, first round first. */
  readonly rounds: readonly TaskRound[];
  readonly weight: number;
  /**
   * Rounds with runs of both sides that worked on the task, whether they passed or not. None before either side has
   * passed once.
   */
  readonly pairs: readonly Pair[];
  readonly singles: readonly Single[];
  readonly runs: readonly [number, number];
  readonly passed: readonly [number, number];
  /** Failed runs with so few tokens that they hardly began; they count as failed, but prove no regression. */
  readonly hollow: readonly [number, number];
}

/** A failed run below this share of a completed run's tokens did not work on the task. */
const realShare = 0.1;

/**
 * Groups samples by task, sorted by id, and pairs them by round. Drops impossible measurements (negative or non-finite
 * tokens, a weight that is not positive). If a round has several runs of a side, as controls of several arms, pairs
 * their means.
 */
export function gatherTasks(samples: readonly RunSample[]): TaskEvidence[] {
  const byTask = groupBy(samples.filter(isMeasured), ({ taskId }) => taskId);
  return [...byTask.entries()]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([taskId, runs]) => {
      const rounds = [...groupBy(runs, ({ round }) => round)].sort(([one], [other]) => one - other);
      return evidenceOf(
        taskId,
        rounds.map(([round, own]) => ({
          round,
          runs: own,
          passed: own.every(({ passed }) => passed) ? rowOf(round, own, own) : null,
        })),
      );
    });
}

/** Returns the same as gathering the samples of these rounds alone. */
export function tasksBetween(
  tasks: readonly TaskEvidence[],
  { from = -Infinity, to = Infinity }: { readonly from?: number; readonly to?: number },
): TaskEvidence[] {
  return tasks.flatMap(({ taskId, rounds }) => {
    const own = rounds.filter(({ round }) => round >= from && round <= to);
    return own.length === 0 ? [] : [evidenceOf(taskId, own)];
  });
}

function isMeasured({ tokens, weight }: RunSample): boolean {
  return tokens >= 0 && tokens < Infinity && weight > 0 && weight < Infinity;
}

function evidenceOf(taskId: string, rounds: readonly TaskRound[]): TaskEvidence {
  const [pairs, singles]: [Pair[], Single[]] = [[], []];
  const none = (): [number, number] => [0, 0];
  const [made, passed, hollow] = [none(), none(), none()];
  const [completed, failed]: [number[], RunSample[]] = [[], []];
  let most = 0;
  for (const { runs } of rounds)
    for (const run of runs) {
      made[run.side] += 1;
      most = Math.max(most, run.weight);
      if (!run.passed) failed.push(run);
      else {
        passed[run.side] += 1;
        completed.push(run.tokens);
      }
    }
  const least = failed.length === 0 ? 0 : realShare * median(completed);
  const isHollow = ({ tokens, passed: isPassed }: RunSample) => !isPassed && (tokens === 0 || tokens < least);
  for (const run of failed) if (isHollow(run)) hollow[run.side] += 1;
  // Of a task that a side never finished, no one knows what finishing it takes.
  const isFinished = passed[0] > 0 && passed[1] > 0;
  for (const { round, runs, passed: known } of isFinished ? rounds : []) {
    const row =
      known ??
      rowOf(
        round,
        runs,
        runs.filter((run) => !isHollow(run)),
      );
    if (row !== null)
      if ("side" in row) singles.push(row);
      else pairs.push(row);
  }
  return { taskId, rounds, weight: most, pairs, singles, runs: made, passed, hollow };
}

/**
 * Returns what a round says about tokens. Failed runs count: whoever uses the change pays for them too.
 * @param working the runs that worked on the task
 */
function rowOf(
  round: number,
  runs: readonly RunSample[],
  working: readonly RunSample[],
): Pair | Single | null {
  const [before, after]: [number[], number[]] = [[], []];
  for (const { side, tokens } of working) (side === 0 ? before : after).push(tokens);
  if (before.length + after.length === 0) return null;
  const about = { round, others: otherRules(runs), counts: runs[0]?.measured?.counts ?? 1 };
  const logs = [before.map(logOf), after.map(logOf)] as const;
  if (before.length > 0 && after.length > 0)
    return { ...about, before: meanOf(before), after: meanOf(after), logs };
  const side = before.length > 0 ? 0 : 1;
  return { ...about, side, log: meanOf(logs[side]) };
}

const noRules: OtherRules = new Map();

/** Failed runs count too: they show the rules of their side. */
function otherRules(runs: readonly RunSample[]): OtherRules {
  if (runs.every(({ together }) => together === undefined || together.length === 0)) return noRules;
  const had = [new Set<string>(), new Set<string>()] as const;
  for (const { side, together = [] } of runs) for (const rule of together) had[side].add(rule);
  const [without, withIt] = had;
  const differ = new Map<string, 1 | -1>();
  for (const rule of withIt) if (!without.has(rule)) differ.set(rule, 1);
  for (const rule of without) if (!withIt.has(rule)) differ.set(rule, -1);
  return differ;
}

/** @param values not empty */
export function meanOf(values: readonly number[]): number {
  return sumOf(values) / values.length;
}

/** The mean of a figure over pairs, weighed by their rounds. */
export function meanOfPairs(pairs: readonly Pair[], value: (pair: Pair) => number): number {
  return sumOf(pairs.map((pair) => value(pair) * pair.counts)) / countOf(pairs);
}

/** The number of new rounds that the pairs equal. */
export function countOf(pairs: readonly Pick<Pair, "counts">[]): number {
  return sumOf(pairs.map(({ counts }) => counts));
}

/** Sorted before summing, so that the order of the values never shows in the last digit. */
export function sumOf(values: readonly number[]): number {
  const [only = 0, another] = values;
  if (another === undefined) return only;
  let sum = 0;
  for (const value of sorted(values)) sum += value;
  return sum;
}

/** A completed run without tokens counts as one token. */
function logOf(tokens: number): number {
  return Math.log(Math.max(1, tokens));
}

export interface Gathered {
  readonly samples: readonly RunSample[];
  readonly tasks: readonly TaskEvidence[];
  /** The numbers of their rounds, ascending. */
  readonly rounds: readonly number[];
}

export function gather(samples: readonly RunSample[]): Gathered {
  const rounds = [...new Set(samples.map(({ round }) => round))].sort((one, other) => one - other);
  return { samples, tasks: gatherTasks(samples), rounds };
}

export function gatheredSince({ samples, tasks, rounds }: Gathered, from: number): Gathered {
  return {
    samples: samples.filter(({ round }) => round >= from),
    tasks: tasksBetween(tasks, { from }),
    rounds: rounds.filter((round) => round >= from),
  };
}
