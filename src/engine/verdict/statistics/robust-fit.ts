import { median } from "../../base/numbers.ts";

type Numbers = ArrayLike<number>;

interface RidgeInput {
  /** One row per observation. */
  readonly rows: readonly Numbers[];
  readonly weights: Numbers;
  /** Added to the diagonal for each column: units of weight as evidence that its coefficient is 0. */
  readonly penalties: Numbers;
}

/** Weighted ridge regressions of several responses on the same columns. Solves the normal equations by Cholesky's decomposition. */
export class Ridge {
  readonly #input: RidgeInput;
  readonly #width: number;
  readonly #root: Float64Array;

  constructor(input: RidgeInput) {
    this.#input = input;
    const { rows, weights, penalties } = input;
    const width = penalties.length;
    const square = new Float64Array(width * width);
    for (let column = 0; column < width; column += 1)
      square[column * width + column] = (penalties[column] ?? 0) + tiny;
    // Solved many thousand times for a set of active rules: loops over flat numbers take a fraction of the time.
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index] ?? [];
      const weight = weights[index] ?? 0;
      for (let one = 0; one < width; one += 1) {
        const left = (row[one] ?? 0) * weight;
        if (left === 0) continue;
        const line = one * width;
        for (let other = 0; other <= one; other += 1)
          square[line + other] = (square[line + other] ?? 0) + left * (row[other] ?? 0);
      }
    }
    this.#width = width;
    this.#root = cholesky(square, width);
  }

  fit(response: Numbers): number[] {
    const { rows, weights } = this.#input;
    const right = new Float64Array(this.#width);
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index] ?? [];
      const weighted = (weights[index] ?? 0) * (response[index] ?? 0);
      for (let column = 0; column < right.length; column += 1)
        right[column] = (right[column] ?? 0) + weighted * (row[column] ?? 0);
    }
    solve(this.#root, right);
    return [...right];
  }

  /** The diagonal of the inverse: a coefficient's variance, if the weights are inverse variances. */
  varianceOf(column: number): number {
    const unit = new Float64Array(this.#width);
    unit[column] = 1;
    solve(this.#root, unit);
    return unit[column] ?? 0;
  }

  residuals(response: Numbers): number[] {
    const fitted = this.fit(response);
    return this.#input.rows.map((row, index) => (response[index] ?? 0) - dot(row, fitted));
  }
}

const tiny = 1e-9;

export function dot(one: Numbers, other: Numbers): number {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1) sum += (one[index] ?? 0) * (other[index] ?? 0);
  return sum;
}

/** Replaces the lower half of a symmetric matrix by its lower triangular root. */
function cholesky(square: Float64Array, width: number): Float64Array {
  for (let index = 0; index < width; index += 1) {
    const own = index * width;
    for (let column = 0; column <= index; column += 1) {
      const before = column * width;
      let rest = square[own + column] ?? 0;
      for (let step = 0; step < column; step += 1)
        rest -= (square[own + step] ?? 0) * (square[before + step] ?? 0);
      square[own + column] =
        column === index ? Math.sqrt(Math.max(rest, tiny)) : rest / (square[before + column] ?? 1);
    }
  }
  return square;
}

/** Replaces the right side by the solution. */
function solve(root: Float64Array, right: Float64Array): void {
  const width = right.length;
  for (let index = 0; index < width; index += 1) {
    let rest = right[index] ?? 0;
    for (let step = 0; step < index; step += 1)
      rest -= (root[index * width + step] ?? 0) * (right[step] ?? 0);
    right[index] = rest / (root[index * width + index] ?? 1);
  }
  for (let index = width - 1; index >= 0; index -= 1) {
    let rest = right[index] ?? 0;
    for (let step = index + 1; step < width; step += 1)
      rest -= (root[step * width + index] ?? 0) * (right[step] ?? 0);
    right[index] = rest / (root[index * width + index] ?? 1);
  }
}

/** A row of a linear model: `value` is the sum of `columns` times the coefficients, plus noise. */
interface MeasuredRow {
  readonly value: number;
  readonly columns: readonly number[];
  /** Weight of the row: positive. */
  readonly weight: number;
  /** Rows of precision 1 have the same variance. */
  readonly precision: number;
}

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
