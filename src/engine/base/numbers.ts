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

export function ascending(values: readonly number[]): number[] {
  return values.toSorted((one, other) => one - other);
}

/** Groups items by a key, in the order in which the keys first occur. */
export function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/**
 * Distributes a whole number by weights, in whole numbers that add up to it exactly: each gets its rounded-down share,
 * and the rest goes, one each, to those that lost most by rounding (the first of equals). If all weights are 0, so are
 * all shares.
 *
 * @param total and each weight whole, not negative; their product below 2^53
 */
export function shareOut(total: number, weights: readonly number[]): number[] {
  let whole = 0;
  for (const weight of weights) whole += weight;
  const shares = weights.map(() => 0);
  if (whole === 0 || total === 0) return shares;
  const lost = weights.map((weight) => (total * weight) % whole);
  let left = total;
  for (const [index, weight] of weights.entries())
    left -= shares[index] = (total * weight - (lost[index] ?? 0)) / whole;
  for (; left > 0; left -= 1) {
    const most = indexOfMost(lost);
    shares[most] = (shares[most] ?? 0) + 1;
    lost[most] = -1;
  }
  return shares;
}

function indexOfMost(numbers: readonly number[]): number {
  let most = 0;
  for (let index = 1; index < numbers.length; index += 1)
    if ((numbers[index] ?? 0) > (numbers[most] ?? 0)) most = index;
  return most;
}
