import { dot, Ridge } from "./ridge.ts";

/** A row of a linear model: `value` is the sum of `columns` times the coefficients, and noise. */
interface MeasuredRow {
  readonly value: number;
  readonly columns: readonly number[];
  /** How much the row counts: positive. */
  readonly weight: number;
  /** Rows of precision 1 have the same variance. */
  readonly precision: number;
}

/** Coefficients, and the rows' residuals and their scale. */
interface Fit {
  readonly coefficients: readonly number[];
  /** Residuals in the order of the rows, each times the root of its precision. */
  readonly residuals: readonly number[];
  /** Standard deviation of the bulk of the residuals. */
  readonly scale: number;
}

/** Keeps columns that never vary solvable; far below what any row weighs. */
const ridge = 1e-9;
const steps = 6;
/** Median absolute deviation to standard deviation, for a normal distribution. */
const normalScale = 1.4826;
/** Smallest scale: rows that agree to the last digit have none of their own. */
const leastScale = 1e-6;
/** Residuals are tamed around this many standard deviations. */
const tamedAt = 2;

/** Bounds a residual: nearly unchanged within two standard deviations, and never more than that. */
export function tame(residual: number, scale: number): number {
  const bound = tamedAt * scale;
  return bound * Math.tanh(residual / bound);
}

/**
 * Fits a linear model that runs gone astray do not bend: an M-estimate by iteratively reweighted least squares (Huber
 * 1964; Holland and Welsch 1977), with the scale taken from the median residual.
 */
export function robustFit(rows: readonly MeasuredRow[], columns: number): Fit {
  let fit = fitOnce(rows, columns, () => 1);
  for (let step = 1; step < steps; step += 1) {
    const { residuals, scale } = fit;
    fit = fitOnce(rows, columns, (index) => trust(residuals[index] ?? 0, scale));
  }
  return fit;
}

function trust(residual: number, scale: number): number {
  return Math.abs(residual) < 1e-9 * scale ? 1 : tame(residual, scale) / residual;
}

function fitOnce(rows: readonly MeasuredRow[], columns: number, trusted: (index: number) => number): Fit {
  const weights = rows.map(({ weight, precision }, index) => weight * precision * trusted(index));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const penalties = Array.from({ length: columns }, () => ridge * whole);
  const model = new Ridge({ rows: rows.map((row) => row.columns), weights, penalties });
  const coefficients = model.fit(rows.map(({ value }) => value));
  const residuals = rows.map(
    ({ value, columns: own, precision }) => Math.sqrt(precision) * (value - dot(own, coefficients)),
  );
  const freedom = Math.max(1, rows.length - columns);
  const scale = normalScale * median(residuals.map(Math.abs)) * Math.sqrt(rows.length / freedom);
  return { coefficients, residuals, scale: Math.max(leastScale, scale) };
}

/** The mean of the two middle values; 0 for none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}
