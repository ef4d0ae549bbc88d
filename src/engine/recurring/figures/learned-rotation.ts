import { median, mean, groupBy } from "../../base/numbers.ts";
import type { WakeRow } from "../../ledger/woken.ts";
import type { LearnedRotation } from "../recurring-answers.ts";

/** In responses. */
const step = 20;
/** Wakes with a new session, and wakes per step, for an estimate. */
const [minNewSessions, minWakesPerStep] = [5, 5];

/**
 * The length of a session, in responses, from which a new one is cheaper, by a program's past wakes. Null if too few are known, or if no session
 * became long enough to be dearer. A session replaced at a length costs, per wake, the mean of its first wake and of all wakes until then. That mean
 * falls while further wakes cost less than it, then rises. The result is its minimum, if wakes beyond it did cost more.
 */
export function learnRotation(wakes: readonly WakeRow[], program: string): LearnedRotation | null {
  const { first, later } = costsOf(wakes.filter((wake) => wake.program === program));
  if (first.length < minNewSessions || later.length === 0) return null;
  const turnsOfWake = Math.max(1, mean(later.map(({ turns }) => turns)));
  const steps = groupBy(later, ({ before }) => Math.floor(before / step));
  let [sum, count] = [mean(first.map(({ cost }) => cost)), 1];
  let best: { readonly turns: number; readonly average: number } | null = null;
  let seen = first.length;
  for (let index = 0; ; index += 1) {
    const own = steps.get(index) ?? [];
    // The first step is short: it starts after the first wake.
    if (own.length < minWakesPerStep && index > 0) return null;
    seen += own.length;
    if (own.length > 0) {
      const costs = own.map((each) => each.cost);
      // Beyond the best length, wakes cost more than a session replaced there. A single expensive wake is not
      // a trend.
      if (best !== null && median(costs) > best.average)
        return { turns: best.turns, wakes: seen, sessions: first.length };
      sum += (mean(costs) * step) / turnsOfWake;
      count += step / turnsOfWake;
    }
    const average = sum / count;
    if (best === null || average <= best.average) best = { turns: (index + 1) * step, average };
  }
}

interface WakeCost {
  readonly before: number;
  readonly turns: number;
  /** Normalized input tokens. */
  readonly cost: number;
}

/** Completed wakes that started a session, and those that continued one. */
function costsOf(wakes: readonly WakeRow[]): { readonly first: WakeCost[]; readonly later: WakeCost[] } {
  const [first, later]: [WakeCost[], WakeCost[]] = [[], []];
  const inSession = wakes.filter(({ sessionId }) => sessionId !== null);
  for (const own of groupBy(inSession, ({ sessionId }) => sessionId).values()) {
    const ordered = own.toSorted((one, other) => one.at - other.at);
    // The length of a session is unknown if its start is unknown.
    if (ordered[0]?.reason === "reused") continue;
    let before = 0;
    for (const { turns, outcome, normalizedInput: cost, reason } of ordered) {
      if (outcome === "completed" && cost !== null)
        (reason === "reused" ? later : first).push({ before, turns, cost });
      before += turns;
    }
  }
  return { first, later };
}
