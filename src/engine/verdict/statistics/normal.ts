/** The standard normal distribution, to nearly double precision: tails matter where error rates are spent in thousandths. */

const rootOfTwoPi = Math.sqrt(2 * Math.PI);

export function normalDensity(x: number): number {
  return Math.exp((-x * x) / 2) / rootOfTwoPi;
}

/** P(X > x). */
export function normalTail(x: number): number {
  if (x < 0) return 1 - normalTail(-x);
  if (x > 9) return x > 38 ? 0 : normalDensity(x) / (x + 1 / (x + 2 / x));
  return x < 3 ? 0.5 - normalDensity(x) * oddSeries(x) : normalDensity(x) / millsFraction(x);
}

/** P(X <= x). */
export function normalCdf(x: number): number {
  return normalTail(-x);
}

/** Returns the x with P(X > x) = `tail`, between -38 and 38. */
export function normalUpperQuantile(tail: number): number {
  let [low, high] = [-38, 38];
  for (let halving = 0; halving < 60; halving += 1) {
    const middle = (low + high) / 2;
    if (normalTail(middle) > tail) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** x + x^3/3 + x^5/(3·5) + …: Abramowitz and Stegun 26.2.11. */
function oddSeries(x: number): number {
  let [term, sum] = [x, x];
  for (let odd = 3; term > sum * 1e-17; odd += 2) sum += term *= (x * x) / odd;
  return sum;
}

/** x + 1/(x + 2/(x + 3/(x + …))): Abramowitz and Stegun 26.2.14, exact to 1e-13 with this many steps for x from 3 on. */
function millsFraction(x: number): number {
  let fraction = x;
  for (let step = 40; step > 0; step -= 1) fraction = x + step / fraction;
  return fraction;
}
