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
