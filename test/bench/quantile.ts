/** Quantile by nearest rank, always a measured value. @param sorted ascending; NaN when empty */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1] ?? Number.NaN;
}

/** Quantile of values in any order. */
export function quantileOf(values: readonly number[], share: number): number {
  return quantile(
    values.toSorted((one, other) => one - other),
    share,
  );
}
