import { loopRules } from "./loops-rules.ts";
import { markOf, type Step } from "./step.ts";

export interface LoopThresholds {
  /** Number of equal failures of one action. */
  readonly repeats: number;
  /** Number of looks in a row without a change. */
  readonly looks: number;
}

export const defaultThresholds: LoopThresholds = { repeats: 3, looks: 10 };

export interface Loop extends Pattern {
  readonly rule: keyof typeof loopRules;
  /** Two loops with a common key are one loop that continues. */
  readonly keys: readonly string[];
}

/** Maximum keys that identify a loop. */
const maxKeys = 8;

/** Returns the loop of the last action; null for none. The most specific pattern comes first. */
export function findLoop(steps: readonly Step[], { repeats, looks }: LoopThresholds): Loop | null {
  const patterns: readonly (readonly [Loop["rule"], () => Pattern | null])[] = [
    ["sameFailure", () => sameFailure(steps, repeats)],
    ["polling", () => polling(steps)],
    ["alternation", () => alternation(steps)],
    ["nearEqual", () => nearEqual(steps)],
    ["repeatedLooks", () => repeatedLooks(steps, looks)],
  ];
  for (const [rule, find] of patterns) {
    const pattern = find();
    if (pattern !== null) return { ...pattern, rule, keys: keysOf(pattern) };
  }
  return null;
}

function keysOf({ steps }: Pattern): string[] {
  const keys = steps.flatMap((step) => {
    const own = step.isEdit && step.failure !== null ? `${step.spot}:${step.failure}` : markOf(step);
    return step.polls === null ? [own] : [own, `polls:${step.polls}`];
  });
  return [...new Set(keys)].slice(-maxKeys).toSorted();
}

/** A pattern that repeats at the end of a chain of actions. */
interface Pattern {
  readonly steps: readonly Step[];
  /** Number of actions in one round. */
  readonly period: number;
}

/** Returns the steps since the last one that may have changed something. */
function sinceChange(steps: readonly Step[]): readonly Step[] {
  return steps.slice(steps.findLastIndex(({ effect }) => effect === "change") + 1);
}

/**
 * The same action failed several times in the same way. Other actions do not end the row, as they did not help. A success or
 * another failure of the same action ends it. After a change, only an identical error is the same failure: a lower count in it
 * is progress.
 */
function sameFailure(steps: readonly Step[], times: number): Pattern | null {
  const last = steps.at(-1);
  if (last?.failure === null || last?.failure === undefined) return null;
  const row = [last];
  let hasChanged = false;
  for (const each of steps.slice(0, -1).toReversed()) {
    if (each.effect === "change" && each.spot !== last.spot) hasChanged = true;
    if (!isSameAction(each, last)) continue;
    if (each.failure !== last.failure || (hasChanged && each.exact !== last.exact)) break;
    row.unshift(each);
  }
  return row.length >= times ? { steps: row.slice(-times), period: 1 } : null;
}

/** Failed edits of one file are the same action, whatever they would write. */
function isSameAction(one: Step, other: Step): boolean {
  return one.isEdit ? one.spot === other.spot : one.key === other.key;
}

/** Minimum number of requests or sleeps for polling; fewer requests if the agent sleeps in between. */
const pollTimes = { polls: 4, pollsWithSleeps: 3, sleeps: 2, onlySlept: 4 };

/**
 * The same changing state, such as that of a build on a server, is requested repeatedly with only sleeps in between. Its answers
 * may differ.
 */
function polling(steps: readonly Step[]): Pattern | null {
  const begin = steps.findLastIndex(
    ({ polls, waits, effect }) => polls === null && !waits && effect !== "other",
  );
  const row = steps.slice(begin + 1).filter(({ polls, waits }) => polls !== null || waits);
  const last = steps.at(-1);
  if (last === undefined || (last.polls === null && !last.waits)) return null;
  const state = row.findLast(({ polls }) => polls !== null)?.polls ?? null;
  const polling = row.filter(({ polls }) => polls !== null && polls === state);
  const slept = row.filter(({ waits }) => waits).length;
  const isPolling =
    state === null
      ? slept >= pollTimes.onlySlept
      : polling.length >= pollTimes.polls ||
        (polling.length >= pollTimes.pollsWithSleeps && slept >= pollTimes.sleeps);
  return isPolling ? { steps: polling.length > 0 ? polling : row, period: 1 } : null;
}

/** Two or three actions take turns, A B A B or A B C A B C, each with the same result both times. */
function alternation(steps: readonly Step[]): Pattern | null {
  for (const period of [2, 3]) {
    const last = steps.slice(-2 * period);
    const [first, second] = [last.slice(0, period), last.slice(period)];
    if (last.length < 2 * period || new Set(first.map(({ key }) => key)).size < period) continue;
    const isRepeated = first.every((each, at) => {
      const again = second[at];
      return again !== undefined && markOf(again) === markOf(each);
    });
    if (isRepeated && !first.every(({ polls, waits }) => polls !== null || waits))
      return { steps: last, period };
  }
  return null;
}

const minNearEqual = 4;

/**
 * The same program and subcommand ran several times without a change, and
 * - either each run failed for the same cause and nearly equals the one before: one or two words differ, or only numbers and
 *   paths. A search that finds nothing has not failed;
 * - or the same check ran again to show another part of its output, each time with the same outcome.
 */
function nearEqual(steps: readonly Step[]): Pattern | null {
  const last = steps.at(-1);
  if (last === undefined || last.words.length === 0 || last.polls !== null) return null;
  const row = sinceChange(steps)
    .filter(({ name, words, effect }) => words.length > 0 && name === last.name && effect !== "change")
    .slice(-minNearEqual);
  if (row.length < minNearEqual) return null;
  return isSameCause(row, last) || isSameCheck(row, last) ? { steps: row, period: 1 } : null;
}

function isSameCause(row: readonly Step[], last: Step): boolean {
  if (last.cause === null || last.isQuestion) return false;
  return row.every((each, at) => {
    const before = row[at - 1];
    return each.cause === last.cause && (before === undefined || isNear(each, before));
  });
}

function isSameCheck(row: readonly Step[], last: Step): boolean {
  if (last.effect !== "check") return false;
  const words = last.words.join(" ");
  return row.every(
    (each, at) =>
      each.effect === "check" &&
      each.words.join(" ") === words &&
      (each.failure === null) === (last.failure === null) &&
      // The same line with another output is a flaky check.
      row
        .slice(0, at)
        .every(
          ({ key, failure, result }) =>
            key !== each.key || (failure === each.failure && result === each.result),
        ),
  );
}

function isNear(one: Step, other: Step): boolean {
  if (one.masked === other.masked) return true;
  return distance(one.words, other.words) <= (Math.min(one.words.length, other.words.length) >= 8 ? 2 : 1);
}

/** Returns the number of words to add, remove or replace between two commands. */
function distance(one: readonly string[], other: readonly string[]): number {
  let above = other.map((_, at) => at + 1);
  for (const [row, word] of one.entries()) {
    const line: number[] = [];
    for (const [column, each] of other.entries()) {
      const corner = column === 0 ? row : (above[column - 1] ?? 0);
      const left = column === 0 ? row + 1 : (line[column - 1] ?? 0);
      line.push(Math.min(corner + (word === each ? 0 : 1), left + 1, (above[column] ?? 0) + 1));
    }
    above = line;
  }
  return above.at(-1) ?? one.length;
}

/** Maximum different looks in a loop. With more, an agent explores. */
const maxDifferent = 4;
/** Upper limit of the entropy, which four equally frequent looks reach. Bits. */
const entropyLimit = 2;

/**
 * Several looks in a row, without changes or checks in between, at few unchanged things: their entropy is below two bits, and at
 * most four are different. Exploration is not a loop: another file, part, search or result is a different look.
 */
function repeatedLooks(steps: readonly Step[], times: number): Pattern | null {
  const looks = sinceChange(steps)
    .filter(({ effect }) => effect !== "other")
    .slice(-times);
  if (looks.length < times || looks.some(({ effect }) => effect !== "look")) return null;
  const counts = new Map<string, number>();
  for (const each of looks) counts.set(markOf(each), (counts.get(markOf(each)) ?? 0) + 1);
  const isFew = counts.size <= maxDifferent && entropy([...counts.values()]) < entropyLimit;
  return isFew ? { steps: looks, period: counts.size } : null;
}

/** Returns Shannon's entropy of a distribution. Bits. */
function entropy(counts: readonly number[]): number {
  const all = counts.reduce((sum, count) => sum + count, 0);
  return -counts.reduce((sum, count) => sum + (count / all) * Math.log2(count / all), 0);
}
