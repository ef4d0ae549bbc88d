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

export function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const mixed = new Float64Array(values);
  const middle = Math.floor(mixed.length / 2);
  const upper = select(mixed, middle);
  if (mixed.length % 2 === 1) return upper;
  // All before the middle are no larger.
  return (mixed.subarray(0, middle).reduce((most, value) => Math.max(most, value), -Infinity) + upper) / 2;
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
