import { markOf, type Step } from "../step.ts";
import { sinceChange, type Pattern } from "./pattern.ts";

/** Beyond this number of different looks among the last ones, an agent explores. */
const mostDifferent = 4;
/** Bits: less than four things looked at equally often. */
const leastEntropy = 2;

/**
 * A number of looks in a row, with nothing changed or checked in between, at few things that have not changed: the entropy of which look
 * with which result is below two bits, and at most four are different. So ordinary exploration is none: another file, another part of it,
 * another search, or another result is a different look.
 */
export function repeatedLooks(steps: readonly Step[], times: number): Pattern | null {
  const looks = sinceChange(steps)
    .filter(({ effect }) => effect !== "other")
    .slice(-times);
  if (looks.length < times || looks.some(({ effect }) => effect !== "look")) return null;
  const counts = new Map<string, number>();
  for (const each of looks) counts.set(markOf(each), (counts.get(markOf(each)) ?? 0) + 1);
  const isFew = counts.size <= mostDifferent && entropy([...counts.values()]) < leastEntropy;
  return isFew ? { steps: looks, period: counts.size } : null;
}

/** Shannon's entropy of a distribution. Bits. */
function entropy(counts: readonly number[]): number {
  const all = counts.reduce((sum, count) => sum + count, 0);
  return -counts.reduce((sum, count) => sum + (count / all) * Math.log2(count / all), 0);
}
