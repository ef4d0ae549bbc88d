import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { shareOut } from "../../../src/engine/base/numbers.ts";

test("Shares are whole, add up to the total, and are each within one of the exact share", () => {
  const weights = fc.array(fc.nat(10_000_000), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(fc.nat(800_000_000), weights, (total, parts) => {
      const shares = shareOut(total, parts);
      const whole = parts.reduce((sum, part) => sum + part, 0);
      const sum = shares.reduce((all, share) => all + share, 0);
      assert.equal(sum, whole === 0 ? 0 : total);
      for (const [index, share] of shares.entries()) {
        assert.ok(Number.isInteger(share) && share >= 0);
        const exact = whole === 0 ? 0 : (total * (parts[index] ?? 0)) / whole;
        assert.ok(Math.abs(share - exact) < 1);
      }
    }),
  );
});

test("gives the rounding remainder to those who lost most, the first among equals", () => {
  assert.deepEqual(shareOut(10, [1, 1, 1]), [4, 3, 3]);
  assert.deepEqual(shareOut(10, [5, 1, 2]), [6, 1, 3]);
  assert.deepEqual(shareOut(1, [0, 3]), [0, 1]);
  assert.deepEqual(shareOut(7, []), []);
});
