import { english } from "../base/text/english.ts";
import type { ContextSettings } from "./contexts.ts";

type AdviceThresholds = Pick<ContextSettings, "wrapUpAt" | "endTurnAt">;

/** Distance kept between the thresholds where they have to be corrected, as in their defaults. */
const [share, points] = [0.8, 10];

/** Whether the advice to wrap up can come before the advice to end the turn. At 0 neither is given. */
function isInOrder({ wrapUpAt, endTurnAt }: AdviceThresholds): boolean {
  return endTurnAt < wrapUpAt || endTurnAt === 0;
}

/**
 * Returns thresholds by which both kinds of advice are given. The default gives way to what a person set. Where both are
 * set, wrapping up is advised earlier, because an early warning is better than none.
 */
export function orderedThresholds(
  thresholds: AdviceThresholds,
  isSet: (name: keyof AdviceThresholds) => boolean,
): AdviceThresholds {
  const { wrapUpAt, endTurnAt } = thresholds;
  if (isInOrder(thresholds)) return { wrapUpAt, endTurnAt };
  return isSet("endTurnAt")
    ? { wrapUpAt: Math.min(100, endTurnAt + points), endTurnAt }
    : { wrapUpAt, endTurnAt: Math.round(wrapUpAt * share * 10) / 10 };
}

/** Says what is wrong with the thresholds as set, and what is used; undefined for a good order. */
export function orderProblem(set: AdviceThresholds, used: AdviceThresholds): string | undefined {
  if (set.wrapUpAt === used.wrapUpAt && set.endTurnAt === used.endTurnAt) return undefined;
  const values = {
    wrapUpAt: set.wrapUpAt,
    endTurnAt: set.endTurnAt,
    usedWrapUpAt: used.wrapUpAt,
    usedEndTurnAt: used.endTurnAt,
  };
  return english(
    "endTurnAt ({endTurnAt}) must be below wrapUpAt ({wrapUpAt}); {usedWrapUpAt} is used for wrapUpAt and {usedEndTurnAt} for endTurnAt",
    values,
  );
}
