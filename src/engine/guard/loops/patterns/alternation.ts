import { markOf, type Step } from "../step.ts";
import type { Pattern } from "./pattern.ts";

const periods = [2, 3];

/**
 * Two or three different actions take turns, A B A B or A B C A B C, each with the same result both times. Another result, or an edit that
 * is not the same edit again, is no repetition.
 */
export function alternation(steps: readonly Step[]): Pattern | null {
  for (const period of periods) {
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
