import type { Step } from "../step.ts";
import { sinceChange, type Pattern } from "./pattern.ts";

const times = 4;

/**
 * The same program and subcommand, run a number of times with nothing changed since, and
 * - either each run failed of the same cause, and is nearly the one before: a word or two differ, or only numbers and paths. A search that
 *   finds nothing has not failed;
 * - or the same check ran again only to see another part of its output, with the same outcome each time.
 */
export function nearEqual(steps: readonly Step[]): Pattern | null {
  const last = steps.at(-1);
  if (last === undefined || last.words.length === 0 || last.polls !== null) return null;
  const row = sinceChange(steps)
    .filter(({ name, words, effect }) => words.length > 0 && name === last.name && effect !== "change")
    .slice(-times);
  if (row.length < times) return null;
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
      // The same line with another output is a check that does not always give the same.
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
  const most = Math.min(one.words.length, other.words.length) >= 8 ? 2 : 1;
  return distance(one.words, other.words) <= most;
}

/** Words to be added, removed or replaced to make one command of another. */
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
