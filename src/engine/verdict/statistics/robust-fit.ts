import { median } from "../../base/numbers.ts";
import { dot, Ridge } from "./ridge.ts";

/** A row of a linear model: `value` is the sum of `columns` times the coefficients, plus noise. */
interface MeasuredRow {
  readonly value: number;
  readonly columns: readonly number[];
  /** Weight of the row: positive. */
  readonly weight: number;
  /** Rows of precision 1 have the same variance. */
  readonly precision: number;
}

/** Coefficients, and the rows' residuals and their scale. */
interface Fit {
  readonly coefficients: readonly number[];
  /** Residuals in the order of the rows, each times the square root of its precision. */
  readonly residuals: Float64Array;
  /** Standard deviation of the bulk of the residuals. */
  readonly scale: number;
}

/** Keeps columns that never vary solvable; far below the weight of any row. */
const ridge = 1e-9;
const steps = 6;
/** Median absolute deviation to standard deviation, for a normal distribution. */
const normalScale = 1.4826;
/** Minimum scale: rows that agree to the last digit have none of their own. */
const minScale = 1e-6;
/** Residuals are bounded at this many standard deviations. */
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
  const count = rows.length;
  const model: Model = {
    rows: rows.map((row) => row.columns),
    values: new Float64Array(count),
    roots: new Float64Array(count),
    columns,
  };
  const weights = new Float64Array(count);
  // Done for each chart of each active rule at each look: plain loops take a fraction of the time.
  for (let index = 0; index < count; index += 1) {
    const { value = 0, weight = 0, precision = 0 } = rows[index] ?? {};
    model.values[index] = value;
    model.roots[index] = Math.sqrt(precision);
    weights[index] = weight * precision;
  }
  let fit = fitOnce(model, weights);
  const trusted = new Float64Array(count);
  for (let step = 1; step < steps; step += 1) {
    const { residuals, scale } = fit;
    for (let index = 0; index < count; index += 1)
      trusted[index] = (weights[index] ?? 0) * trust(residuals[index] ?? 0, scale);
    fit = fitOnce(model, trusted);
  }
  return fit;
}

interface Model {
  readonly rows: readonly (readonly number[])[];
  readonly values: Float64Array;
  /** Square roots of the precisions. */
  readonly roots: Float64Array;
  readonly columns: number;
}

function trust(residual: number, scale: number): number {
  return Math.abs(residual) < 1e-9 * scale ? 1 : tame(residual, scale) / residual;
}

function fitOnce({ rows, values, roots, columns }: Model, weights: Float64Array): Fit {
  const count = rows.length;
  let whole = 0;
  for (let index = 0; index < count; index += 1) whole += weights[index] ?? 0;
  const penalties = new Float64Array(columns).fill(ridge * whole);
  const coefficients = new Ridge({ rows, weights, penalties }).fit(values);
  const residuals = new Float64Array(count);
  const distances = new Float64Array(count);
  for (let index = 0; index < count; index += 1) {
    const residual = (roots[index] ?? 0) * ((values[index] ?? 0) - dot(rows[index] ?? [], coefficients));
    residuals[index] = residual;
    distances[index] = Math.abs(residual);
  }
  const freedom = Math.max(1, count - columns);
  const scale = normalScale * median(distances) * Math.sqrt(count / freedom);
  return { coefficients, residuals, scale: Math.max(minScale, scale) };
}
