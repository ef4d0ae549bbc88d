/** Rows of a table of numbers. */
type Matrix = readonly (readonly number[])[];

export interface RidgeInput {
  /** One row for each observation. */
  readonly rows: Matrix;
  readonly weights: readonly number[];
  /** Added to the diagonal for each column: how many units of weight say that its coefficient is 0. */
  readonly penalties: readonly number[];
}

/** Weighted ridge regressions of several responses on the same columns. Solves the normal equations by Cholesky's decomposition. */
export class Ridge {
  readonly #input: RidgeInput;
  readonly #root: number[][];

  constructor(input: RidgeInput) {
    this.#input = input;
    const { rows, weights, penalties } = input;
    const width = penalties.length;
    const square = penalties.map((penalty, index) =>
      Array.from({ length: width }, (_, column) => (column === index ? penalty + tiny : 0)),
    );
    for (const [index, row] of rows.entries()) {
      const weight = weights[index] ?? 0;
      for (let one = 0; one < width; one += 1) {
        const left = (row[one] ?? 0) * weight;
        const line = square[one];
        if (left === 0 || line === undefined) continue;
        for (let other = 0; other <= one; other += 1)
          line[other] = (line[other] ?? 0) + left * (row[other] ?? 0);
      }
    }
    this.#root = cholesky(square);
  }

  /** The coefficients of a response. */
  fit(response: readonly number[]): number[] {
    const { rows, weights, penalties } = this.#input;
    const right = penalties.map(() => 0);
    for (const [index, row] of rows.entries()) {
      const weighted = (weights[index] ?? 0) * (response[index] ?? 0);
      for (let column = 0; column < right.length; column += 1)
        right[column] = (right[column] ?? 0) + weighted * (row[column] ?? 0);
    }
    return solve(this.#root, right);
  }

  /** What the columns do not explain of a response. */
  residuals(response: readonly number[]): number[] {
    const fitted = this.fit(response);
    return this.#input.rows.map((row, index) => (response[index] ?? 0) - dot(row, fitted));
  }
}

/** Keeps columns without any data solvable. */
const tiny = 1e-9;

export function dot(one: readonly number[], other: readonly number[]): number {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1) sum += (one[index] ?? 0) * (other[index] ?? 0);
  return sum;
}

/** The lower triangular root of a symmetric matrix, of which the lower half is read. */
function cholesky(square: Matrix): number[][] {
  const root: number[][] = [];
  for (const [index, line] of square.entries()) {
    const own: number[] = [];
    for (let column = 0; column <= index; column += 1) {
      const before = column === index ? own : (root[column] ?? []);
      let rest = line[column] ?? 0;
      for (let step = 0; step < column; step += 1) rest -= (own[step] ?? 0) * (before[step] ?? 0);
      own.push(column === index ? Math.sqrt(Math.max(rest, tiny)) : rest / (before[column] ?? 1));
    }
    root.push(own);
  }
  return root;
}

function solve(root: Matrix, right: readonly number[]): number[] {
  const forward: number[] = [];
  for (const [index, line] of root.entries()) {
    let rest = right[index] ?? 0;
    for (let step = 0; step < index; step += 1) rest -= (line[step] ?? 0) * (forward[step] ?? 0);
    forward.push(rest / (line[index] ?? 1));
  }
  const solution = forward.map(() => 0);
  for (let index = root.length - 1; index >= 0; index -= 1) {
    let rest = forward[index] ?? 0;
    for (let step = index + 1; step < root.length; step += 1)
      rest -= (root[step]?.[index] ?? 0) * (solution[step] ?? 0);
    solution[index] = rest / (root[index]?.[index] ?? 1);
  }
  return solution;
}
