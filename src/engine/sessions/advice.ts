import type { Figure } from "../usage/token-counts.ts";
import { fewTurns, quantile } from "./compaction-forecast.ts";

/** Turns that the prices beside the advice cover: of going on, and of a new session. */
export const pricedTurns = 10;

/** When a session should end its turn, and its forecast. */
export { fewTurns, quantile };
export { firstCallTokens, nextCallTokens, type NextCallTokens } from "./next-call-tokens.ts";
export { windowOf } from "./window.ts";

/** Advice on the remaining context, ordered from calm to urgent. */
export const adviceLevels = ["CONTINUE", "WRAP_UP", "END_TURN"] as const;
export type Advice = (typeof adviceLevels)[number];

/** Limits that a person chose in place of the usual ones. */
export interface AdviceThresholds {
  /** Percent of the window left, at or below which to wrap up. */
  readonly wrapUpAt: number;
  /** Percent of the window left, below which to end the turn. */
  readonly endTurnAt: number;
}

/** The room left in a context. Null where unknown. */
export interface ContextRoom {
  /** Forecast of the turns until compaction. */
  readonly turns: number | null;
  /** Share of the room until compaction that is left; of the window if nothing compacts automatically. 0 to 1. */
  readonly share: number | null;
  /** Percent of the window that is left, 0 to 100. */
  readonly percent: number | null;
}

/** With so much left until compaction, or less, to wrap up and to end the turn. */
const wrapUp = { turns: 6, share: 0.2 };
const endTurn = { turns: fewTurns - 1, share: 0.08 };
/** How far figures must recover before the advice becomes calmer, so that a figure at a limit does not flicker. */
const hysteresis = { turns: 1, share: 0.03 };

/** Sizes of a context from which the advice is to wrap up, and to end the turn, whatever the forecast. Tokens. */
export function adviceLimits({
  window,
  threshold,
  thresholds,
}: {
  readonly window: Figure;
  readonly threshold: Figure;
  readonly thresholds: AdviceThresholds | null;
}): { readonly wrapUp: number; readonly endTurn: number } | null {
  const room = thresholds === null ? (threshold.value ?? window.value) : window.value;
  if (room === null) return null;
  const { wrapUpAt, endTurnAt } = thresholds ?? {
    wrapUpAt: 100 * wrapUp.share,
    endTurnAt: 100 * endTurn.share,
  };
  return { wrapUp: (room * (100 - wrapUpAt)) / 100, endTurn: (room * (100 - endTurnAt)) / 100 };
}

/**
 * Advises whether to go on. People see and agents receive the same advice. Null while nothing about the room is known.
 *
 * @param thresholds a person's own limits, in percent of the window; null for the usual ones
 * @param previous the advice given before in the same context
 */
export function advise(
  room: ContextRoom,
  thresholds: AdviceThresholds | null,
  previous: Advice = "CONTINUE",
): Advice | null {
  if ((thresholds === null ? room.share : room.percent) === null) return null;
  const now = level(room, thresholds);
  if (urgency(now) >= urgency(previous)) return now;
  const { turns, share, percent } = room;
  const less = {
    turns: turns === null ? null : turns - hysteresis.turns,
    share: share === null ? null : share - hysteresis.share,
    percent: percent === null ? null : percent - 100 * hysteresis.share,
  };
  const eased = level(less, thresholds);
  return urgency(eased) < urgency(previous) ? eased : previous;
}

export function urgency(advice: Advice): number {
  return adviceLevels.indexOf(advice);
}

function level({ turns, share, percent }: ContextRoom, thresholds: AdviceThresholds | null): Advice {
  if (thresholds !== null) {
    const left = percent ?? 100;
    if (left < thresholds.endTurnAt) return "END_TURN";
    return left <= thresholds.wrapUpAt ? "WRAP_UP" : "CONTINUE";
  }
  const isWithin = (limit: typeof wrapUp) =>
    (turns ?? Infinity) <= limit.turns || (share ?? Infinity) <= limit.share;
  if (isWithin(endTurn)) return "END_TURN";
  return isWithin(wrapUp) ? "WRAP_UP" : "CONTINUE";
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
