import type { Interval } from "../verdict.ts";

/** The result of one experiment on the share that a change saves. */
export interface SavingPart {
  /** Holds at its level however often it was examined. */
  readonly saving: Interval;
  /** Standard errors from the value to either end. */
  readonly boundary: number;
}

/** Standard errors between two experiments, beyond which they are assumed to measure different things. */
const apart = 2.6;

/**
 * Combines independent experiments, each weighed by its precision, on the logarithm of the remaining share. The widest
 * of their boundaries holds however often any of them was examined. At the same information, consecutive looks at the
 * sum of two such sums are never less alike than those at each, so it crosses no more often (Slepian 1962).
 * @returns null without two parts, or if they contradict each other
 */
export function combineSavings(parts: readonly SavingPart[]): SavingPart | null {
  const known = parts.flatMap(logarithmic);
  const [one, another] = known;
  if (one === undefined || another === undefined) return null;
  const whole = known.reduce((sum, { precision }) => sum + precision, 0);
  const value = known.reduce((sum, part) => sum + (part.value * part.precision) / whole, 0);
  const isContradicted = known.some(
    (part) => Math.abs(part.value - value) > apart * Math.sqrt(1 / part.precision - 1 / whole),
  );
  if (isContradicted) return null;
  const boundary = Math.max(...known.map((part) => part.boundary));
  const reach = boundary / Math.sqrt(whole);
  const level = Math.min(...parts.map(({ saving }) => saving.level));
  return {
    saving: { value: toShare(value), low: toShare(value - reach), high: toShare(value + reach), level },
    boundary,
  };
}

interface Logarithmic {
  readonly value: number;
  /** The inverse of the variance. */
  readonly precision: number;
  readonly boundary: number;
}

/** Empty for an interval without width, or with an end at everything. */
function logarithmic({ saving, boundary }: SavingPart): Logarithmic[] {
  const [value, low, high] = [saving.value, saving.low, saving.high].map((share) => -Math.log1p(-share));
  const precision = ((2 * boundary) / ((high ?? 0) - (low ?? 0))) ** 2;
  const isKnown = value !== undefined && Number.isFinite(value) && Number.isFinite(precision);
  return isKnown && precision > 0 ? [{ value, precision, boundary }] : [];
}

function toShare(exponent: number): number {
  return -Math.expm1(-exponent);
}
