/**
 * Shares a whole number out by weights, in whole numbers that add up to it exactly: each gets its rounded-down share, and
 * what is left goes, one each, to those whose share lost most by rounding (the first of equals). With no weight at all
 * there is nobody to share with, and the answer is all zeros.
 *
 * @param total and each weight whole, not negative; their product below 2^53
 */
export function shareOut(total: number, weights: readonly number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  if (whole === 0) return weights.map(() => 0);
  const lost = weights.map((weight) => (total * weight) % whole);
  const shares = weights.map((weight, index) => (total * weight - (lost[index] ?? 0)) / whole);
  const left = total - shares.reduce((sum, share) => sum + share, 0);
  const inOrder = [...lost.keys()].sort((one, other) => (lost[other] ?? 0) - (lost[one] ?? 0) || one - other);
  for (const index of inOrder.slice(0, left)) shares[index] = (shares[index] ?? 0) + 1;
  return shares;
}
