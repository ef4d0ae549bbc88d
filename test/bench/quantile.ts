/** Nearest rank: a value that was measured. @param sorted ascending; NaN when there is none */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1] ?? Number.NaN;
}

/** The same of values in any order. */
export function quantileOf(values: readonly number[], share: number): number {
  return quantile(
    values.toSorted((one, other) => one - other),
    share,
  );
}
