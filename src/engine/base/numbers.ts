/** The sum; 0 for none. */
export function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** The arithmetic mean; NaN for none. */
export function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

/** The mean of the two middle values; 0 for none. */
export function median(values: ArrayLike<number>): number {
  if (values.length === 0) return 0;
  const mixed = new Float64Array(values);
  const middle = Math.floor(mixed.length / 2);
  const upper = select(mixed, middle);
  if (mixed.length % 2 === 1) return upper;
  // All before the middle are no larger.
  return (
    (mixed.subarray(0, middle).reduce((largest, value) => Math.max(largest, value), -Infinity) + upper) / 2
  );
}

/**
 * The smallest value that at least this share of the values does not exceed; NaN for none.
 * @param sorted ascending
 */
export function nearestRank(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

/** The value that is at a place once they are sorted; those before the place are then no larger (Hoare 1961). Sorting takes several times as long. */
function select(values: Float64Array, place: number): number {
  let [from, to] = [0, values.length - 1];
  while (from < to) {
    const pivot = values[Math.floor((from + to) / 2)] ?? 0;
    let [low, high] = [from, to];
    while (low <= high) {
      while ((values[low] ?? pivot) < pivot) low += 1;
      while ((values[high] ?? pivot) > pivot) high -= 1;
      if (low > high) break;
      const swapped = values[low] ?? 0;
      values[low] = values[high] ?? 0;
      values[high] = swapped;
      low += 1;
      high -= 1;
    }
    if (place <= high) to = high;
    else if (place >= low) from = low;
    else break;
  }
  return values[place] ?? 0;
}

/** A copy in ascending order. */
export function ascending(values: readonly number[]): number[] {
  return values.toSorted((one, other) => one - other);
}
