type Numbers = ArrayLike<number>;

export interface RidgeInput {
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

  /** The coefficients of a response. */
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

  /** The part of a response that the columns do not explain. */
  residuals(response: Numbers): number[] {
    const fitted = this.fit(response);
    return this.#input.rows.map((row, index) => (response[index] ?? 0) - dot(row, fitted));
  }
}

/** Keeps columns without any data solvable. */
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
