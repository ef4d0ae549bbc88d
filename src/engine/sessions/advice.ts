/** When a session should end its turn, and its forecast. */
export { quantile } from "./compaction-forecast.ts";
export { firstCallTokens, nextCallTokens, type NextCallTokens } from "./next-call-tokens.ts";
export { windowOf } from "./window.ts";

/** Advice on the remaining context, ordered from calm to urgent. */
export const adviceLevels = ["CONTINUE", "WRAP_UP", "END_TURN"] as const;
export type Advice = (typeof adviceLevels)[number];

export interface AdviceThresholds {
  /** Percent remaining at or below which to wrap up. */
  readonly wrapUpAt: number;
  /** Percent remaining below which to end the turn. */
  readonly endTurnAt: number;
}

/** Extra room, in percentage points, that must come back before the advice becomes calmer. */
const hysteresis = 3;

/**
 * @param remaining percent of the window that is left, 0 to 100
 * @param previous the advice given before, so that a figure hovering at a threshold does not flicker
 */
export function advise(
  remaining: number,
  thresholds: AdviceThresholds,
  previous: Advice = "CONTINUE",
): Advice {
  const now = level(remaining, thresholds);
  if (urgency(now) >= urgency(previous)) return now;
  const eased = level(remaining - hysteresis, thresholds);
  return urgency(eased) < urgency(previous) ? eased : previous;
}

export function urgency(advice: Advice): number {
  return adviceLevels.indexOf(advice);
}

function level(remaining: number, { wrapUpAt, endTurnAt }: AdviceThresholds): Advice {
  if (remaining < endTurnAt) return "END_TURN";
  return remaining <= wrapUpAt ? "WRAP_UP" : "CONTINUE";
}

/** Less room than this is shown as zero. Tokens. */
const minRoom = 500;

/**
 * Whether a compaction comes with the next call, so that the remaining tokens and turns carry no further information.
 * @param headroom tokens
 */
export function isDue(headroom: number): boolean {
  return headroom < minRoom;
}
