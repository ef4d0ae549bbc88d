import fc from "fast-check";

/**
 * Cases that a property is tried with every time, besides those that are drawn. What a test counts in them is the same each time, so that
 * it can be asserted without chance.
 */
export function knownCases<Value>(values: fc.Arbitrary<Value>, count: number): [Value][] {
  return fc.sample(values, { seed: 20_261_122, numRuns: count }).map((value) => [value]);
}
