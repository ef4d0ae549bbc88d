import { unknownFigure, type Figure } from "../usage/token-counts.ts";
import { sentence } from "../base/language.ts";

/** Number of latest turns considered. */
const horizon = 20;
/** Minimum steps for a forecast. */
const minSteps = 4;
/** Maximum uncertainty of the mean for a forecast: its standard error as a share of the mean. */
const maxDoubt = 0.5;

/**
 * Tokens the context grows by per turn (one main-chain API response), from the steps between its occupancies.
 *
 * The mean of the last steps, each clamped to Tukey's fences (the quartiles plus or minus 1.5 times their distance), so
 * that one huge read does not become the trend while ordinary large steps keep their weight. The quartiles are whole
 * steps, rounded inwards: interpolated between neighbours, one huge step among four would move the very fence meant to
 * contain it.
 */
export function growthPerTurn(all: readonly number[]): Figure {
  const steps = all.slice(-horizon);
  if (steps.length < minSteps)
    return unknownFigure(sentence("fewer than {0} turns since the context began", minSteps));
  const sorted = steps.toSorted((a, b) => a - b);
  const lower = sorted[Math.ceil((sorted.length - 1) * 0.25)] ?? NaN;
  const upper = sorted[Math.floor((sorted.length - 1) * 0.75)] ?? NaN;
  const fence = 1.5 * (upper - lower);
  const held = steps.map((step) => Math.min(upper + fence, Math.max(lower - fence, step)));
  const mean = held.reduce((sum, step) => sum + step, 0) / held.length;
  const variance = held.reduce((sum, step) => sum + (step - mean) ** 2, 0) / (held.length - 1);
  if (mean > 0 && Math.sqrt(variance / held.length) > maxDoubt * mean)
    return unknownFigure(sentence("the last turns differ too much"));
  return { value: mean, provenance: "estimated", source: sentence("the last {0} turns", steps.length) };
}

/** Whole turns until `headroom` tokens are used up at `growth` tokens per turn. */
export function turnsLeft(headroom: Figure, growth: Figure): Figure {
  if (headroom.value === null) return unknownFigure(headroom.source);
  if (growth.value === null) return unknownFigure(growth.source);
  if (growth.value < 1) return unknownFigure(sentence("the context is not growing"));
  const value = Math.floor(Math.max(0, headroom.value) / growth.value);
  return { value, provenance: "estimated", source: growth.source };
}

/** @param sorted ascending, not empty. Interpolates linearly between neighbours (R's type 7). */
export function quantile(sorted: readonly number[], share: number): number {
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? NaN;
  const above = sorted[Math.ceil(position)] ?? NaN;
  return below + (above - below) * (position - Math.floor(position));
}
