import type { Step } from "../step.ts";
import type { Pattern } from "./pattern.ts";

/**
 * The same action failed the same way a number of times. Actions in between do not end the row, as they did not help. A success of the
 * same action ends it, and another failure of it. After something was changed only the very same error is the same failure: a count in it
 * that goes down is progress.
 */
export function sameFailure(steps: readonly Step[], times: number): Pattern | null {
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

/** Edits of one file that cannot be made fail together, whatever they would write. */
function isSameAction(one: Step, other: Step): boolean {
  return one.isEdit ? one.spot === other.spot : one.key === other.key;
}
