import { mean } from "../base/numbers.ts";
import { unknownFigure, type Figure } from "../usage/token-counts.ts";
import { sentence } from "../base/language.ts";

/** Turns that a forecast looks at. */
export const maxSteps = 256;
/** Minimum turns for a forecast. */
const minSteps = 8;
/** Larger steps are cut to these many times the quartiles' distance beyond them: one damaged figure is no trend. */
const fence = 12;
/** Distance of the turns that may depend on each other: reading comes in bursts. */
const maxLag = 16;
/** Few turns understate the variation, so 16 more with a variation of 1.2 are assumed. */
const prior = { turns: 16, variation: 1.2 ** 2 };
/** Maximum standard error of a forecast, as a share of it. Chosen with `npm run bench -- forecast`. */
const maxDoubt = 0.4;

/** Below this, a forecast is a limit: "fewer than 4 turns". */
export const fewTurns = 4;

/** How much a context grows per turn, which is one main-chain API response. */
export interface Growth {
  /** Tokens. */
  readonly perTurn: Figure;
  /** Variance of one turn as a share of the squared mean, with the dependence of turns on each other. */
  readonly variation: number;
  /** Turns that it was measured in. */
  readonly turns: number;
}

/** Measures growth from the steps between a context's occupancies, oldest first. Tokens. */
export function growthPerTurn(all: readonly number[]): Growth {
  const steps = all.slice(-maxSteps);
  const count = steps.length;
  if (count < minSteps) {
    const perTurn = unknownFigure(sentence("fewer than {0} turns since the context began", minSteps));
    return { perTurn, variation: Infinity, turns: count };
  }
  const held = withoutOutliers(steps);
  const value = mean(held);
  const perTurn: Figure = { value, provenance: "estimated", source: sentence("the last {0} turns", count) };
  if (value <= 0) return { perTurn, variation: Infinity, turns: count };
  const { variance, inflation } = spreadOf(held, value);
  const seen = variance / value ** 2;
  const prudent = (count * seen + prior.turns * prior.variation) / (count + prior.turns);
  return { perTurn, variation: prudent * inflation, turns: count };
}

function withoutOutliers(steps: readonly number[]): readonly number[] {
  const sorted = steps.toSorted((a, b) => a - b);
  const [lower, upper] = [quantile(sorted, 0.25), quantile(sorted, 0.75)];
  const distance = fence * (upper - lower);
  return steps.map((step) => Math.min(upper + distance, Math.max(lower - distance, step)));
}

/**
 * The variance of the steps, and by how much their dependence on each other inflates that of sums: Newey and West's
 * weighted autocovariances.
 */
function spreadOf(steps: readonly number[], middle: number): { variance: number; inflation: number } {
  const count = steps.length;
  const offsets = steps.map((step) => step - middle);
  const variance = offsets.reduce((sum, offset) => sum + offset ** 2, 0) / (count - 1);
  if (variance === 0) return { variance, inflation: 1 };
  const lags = Math.min(maxLag, Math.floor(count / 4));
  let dependence = 0;
  for (let lag = 1; lag <= lags; lag++) {
    const products = offsets.slice(lag).map((offset, index) => offset * (offsets[index] ?? 0));
    const covariance = products.reduce((sum, product) => sum + product, 0) / count;
    dependence += 2 * (1 - lag / (lags + 1)) * covariance;
  }
  return { variance, inflation: Math.max(1, (variance + dependence) / variance) };
}

/**
 * Whole turns until `headroom` tokens are used up. Unknown where the real number would too often lie more than 30 %
 * away; below `fewTurns` the forecast is a limit, which is right more often than a figure.
 */
export function turnsLeft(headroom: Figure, { perTurn, variation, turns }: Growth): Figure {
  if (headroom.value === null) return unknownFigure(headroom.source);
  if (perTurn.value === null) return unknownFigure(perTurn.source);
  if (perTurn.value < 1) return unknownFigure(sentence("the context is not growing"));
  const count = Math.max(0, headroom.value) / perTurn.value;
  const doubt = Math.sqrt(variation * (1 / Math.max(1, count) + 1 / turns));
  if (count >= fewTurns && doubt > maxDoubt) return unknownFigure(sentence("the last turns differ too much"));
  return { value: Math.floor(count), provenance: "estimated", source: perTurn.source };
}

/** @param sorted ascending, not empty. Interpolates linearly between neighbours (R's type 7). */
export function quantile(sorted: readonly number[], share: number): number {
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? NaN;
  const above = sorted[Math.ceil(position)] ?? NaN;
  return below + (above - below) * (position - Math.floor(position));
}
