/** Repeatable random numbers: the same seed gives the same numbers. For orders and simulations, never for secrets. */
export interface SeededRandom {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** A whole number from 0 (inclusive) to `limit` (exclusive). */
  below(limit: number): number;
  /** Of the standard normal distribution. */
  normal(): number;
  /** The same items in random order; does not change the input. */
  shuffled<Item>(items: readonly Item[]): Item[];
}

/**
 * Chris Doty-Humphrey's sfc32 (PractRand): a small fast generator with a counter, so that every seed has a period of 2^32 at least.
 * @param seed any finite number; its 52 bits count, so that neighbouring seeds have nothing in common after the first steps
 */
export function seededRandom(seed: number): SeededRandom {
  const next = sfc32(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    shuffled: (items) => {
      const order = [...items];
      // Fisher-Yates shuffle: swaps the item at each place with a drawn one.
      for (let index = order.length - 1; index > 0; index -= 1)
        order.splice(index, 1, ...order.splice(below(index + 1), 1, ...order.slice(index, index + 1)));
      return order;
    },
  };
}

function sfc32(seed: number): () => number {
  const whole = Math.floor(Math.abs(seed));
  let a = whole >>> 0;
  let b = Math.floor(whole / 2 ** 32) >>> 0;
  let c = seed < 0 ? 0x9e3779b9 : 0x243f6a88;
  let counter = 1;
  const step = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let warmUp = 0; warmUp < 15; warmUp += 1) step();
  return step;
}
