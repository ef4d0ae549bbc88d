/** A row of a linear model: `value` is the sum of `columns` times the coefficients, and noise. */
export interface Row {
  readonly value: number;
  readonly columns: readonly number[];
  /** Precision relative to the other rows: positive. */
  readonly weight: number;
}

/** Keeps the equations solvable where a column never varies; far below what any row weighs. */
const ridge = 1e-9;

/** Returns the coefficients that minimize the weighted sum of squares, by the normal equations; 0 where the rows say nothing. */
export function leastSquares(rows: readonly Row[], columns: number): number[] {
  const whole = rows.reduce((sum, { weight }) => sum + weight, 0);
  const equations = Array.from({ length: columns }, (_, line) => {
    const equation = new Array<number>(columns + 1).fill(0);
    equation[line] = ridge * whole;
    for (const { value, columns: own, weight } of rows) {
      const factor = weight * (own[line] ?? 0);
      if (factor === 0) continue;
      for (let column = 0; column < columns; column += 1)
        equation[column] = (equation[column] ?? 0) + factor * (own[column] ?? 0);
      equation[columns] = (equation[columns] ?? 0) + factor * value;
    }
    return equation;
  });
  return eliminate(equations);
}

/** Gauss and Jordan's elimination; the matrix is positive definite, so that no rows need to be swapped. */
function eliminate(equations: readonly number[][]): number[] {
  const count = equations.length;
  for (const [line, equation] of equations.entries()) {
    const pivot = equation[line] ?? 0;
    if (pivot <= 0) continue;
    for (const [other, changed] of equations.entries()) {
      const factor = (changed[line] ?? 0) / pivot;
      if (other === line || factor === 0) continue;
      for (let column = line; column <= count; column += 1)
        changed[column] = (changed[column] ?? 0) - factor * (equation[column] ?? 0);
    }
  }
  return equations.map((equation, line) => {
    const pivot = equation[line] ?? 0;
    return pivot > 0 ? (equation[count] ?? 0) / pivot : 0;
  });
}
