import type { Step } from "../step.ts";
import type { Pattern } from "./pattern.ts";

/** Times that a state is asked for, or slept, before it is polling; fewer where the agent sleeps in between. */
const times = { asked: 4, askedWithSleeps: 3, sleeps: 2, onlySlept: 4 };

/**
 * The same changing state, such as a build's on a server, asked for again and again with nothing done in between but sleeping. Whether its
 * answers differ does not matter.
 */
export function polling(steps: readonly Step[]): Pattern | null {
  const begin = steps.findLastIndex(
    ({ polls, waits, effect }) => polls === null && !waits && effect !== "other",
  );
  const row = steps.slice(begin + 1).filter(({ polls, waits }) => polls !== null || waits);
  const last = steps.at(-1);
  if (last === undefined || (last.polls === null && !last.waits)) return null;
  const state = row.findLast(({ polls }) => polls !== null)?.polls ?? null;
  const asked = row.filter(({ polls }) => polls !== null && polls === state);
  const slept = row.filter(({ waits }) => waits).length;
  const isPolling =
    state === null
      ? slept >= times.onlySlept
      : asked.length >= times.asked || (asked.length >= times.askedWithSleeps && slept >= times.sleeps);
  return isPolling ? { steps: asked.length > 0 ? asked : row, period: 1 } : null;
}
