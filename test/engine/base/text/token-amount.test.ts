import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { readTokenAmount } from "../../../../src/engine/base/format.ts";

const written: readonly (readonly [string, number | undefined])[] = [
  ["0", 0],
  ["200,000", 200_000],
  [" 200 000 ", 200_000],
  ["1.5M", 1_500_000],
  ["2g", 2_000_000_000],
  // In floating point it is 1004999.9999999999.
  ["1.005m", 1_005_000],
  ["1.5", undefined],
  ["1.2345k", undefined],
  ["k", undefined],
  ["1kk", undefined],
  ["9999999999g", undefined],
];

describe("a number of tokens", () => {
  for (const [text, tokens] of written)
    it(`is ${tokens ?? "none"} in "${text}"`, () => assert.equal(readTokenAmount(text), tokens));

  it("is whole and not negative for any text", () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^\d{1,9}(\.\d{1,4})?[kmgKMG]?$/u));
    fc.assert(
      fc.property(text, (each) => {
        const tokens = readTokenAmount(each) ?? 0;
        assert.ok(Number.isSafeInteger(tokens) && tokens >= 0);
      }),
    );
  });
});
