import { median } from "../../base/numbers.ts";
/** Robust scales at which a value has half of its weight. Chosen with `npm run bench -- trials`. */
const halfWeight = 2.8;

/**
 * A standardized value whose influence is bounded: itself within two robust scales, and less and less beyond three, where a
 * session went astray for a reason of its own.
 */
export function tamed(value: number): number {
  return value * tamedWeight(value);
}

/** The weight at which a plain fit treats a standardized value as the tamed one does. Never 0. */
export function tamedWeight(value: number): number {
  const square = (value / halfWeight) ** 2;
  return 1 / (1 + square * square * square);
}

/** The standard deviation of normal values with this median of absolute values. */
export function robustScale(values: readonly number[]): number {
  return 1.4826 * median(values.map(Math.abs));
}
