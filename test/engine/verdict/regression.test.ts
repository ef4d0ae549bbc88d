import { test } from "node:test";
import assert from "node:assert/strict";
import fc from "fast-check";
import { chanceOfBreak } from "../../../src/engine/verdict/retention.ts";

const near = (found: number, expected: number) =>
  assert.ok(Math.abs(found - expected) < 1e-4, `${found} is not ${expected}`);

test("All before and none after gives a power of a quarter, as in Boschloo's test", () => {
  for (const runs of [3, 4, 5, 6])
    near(chanceOfBreak({ passed: runs, runs }, { passed: 0, runs }), 0.25 ** runs);
});

test("It gives the same results as SciPy 1.15", () => {
  near(chanceOfBreak({ passed: 12, runs: 15 }, { passed: 7, runs: 15 }), 0.034109);
  near(chanceOfBreak({ passed: 74, runs: 117 }, { passed: 31, runs: 63 }), 0.048312);
});

test("A task that did not get worse is not a regression, and neither is one without runs", () => {
  assert.equal(chanceOfBreak({ passed: 3, runs: 5 }, { passed: 3, runs: 5 }), 1);
  assert.equal(chanceOfBreak({ passed: 0, runs: 5 }, { passed: 0, runs: 5 }), 1);
  assert.equal(chanceOfBreak({ passed: 0, runs: 0 }, { passed: 0, runs: 5 }), 1);
  assert.equal(chanceOfBreak({ passed: 5, runs: 5 }, { passed: 0, runs: 0 }), 1);
});

test("It holds for every failure rate: all tables called broken are together no likelier than the stated chance", () => {
  const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n, k - 1) * (n - k + 1)) / k);
  for (const [before, after] of [
    [4, 4],
    [6, 5],
    [7, 7],
  ] as const)
    for (const level of [0.002, 0.01, 0.05])
      for (let rate = 0.03; rate < 1; rate += 0.07) {
        let broken = 0;
        for (let first = 0; first <= before; first += 1)
          for (let second = 0; second <= after; second += 1)
            if (chanceOfBreak({ passed: first, runs: before }, { passed: second, runs: after }) <= level)
              broken +=
                choose(before, first) *
                choose(after, second) *
                rate ** (first + second) *
                (1 - rate) ** (before + after - first - second);
        // Pass rates are tried in steps of half a percent.
        assert.ok(broken <= level * 1.01, `${before} ${after} ${level} ${rate}: ${broken}`);
      }
});

test("One more failure with the change never makes it look less broken", () => {
  const side = fc
    .integer({ min: 1, max: 14 })
    .chain((runs) => fc.record({ runs: fc.constant(runs), passed: fc.integer({ min: 0, max: runs }) }));
  fc.assert(
    fc.property(side, side, (before, after) => {
      const found = chanceOfBreak(before, after);
      assert.ok(found > 0 && found <= 1);
      if (after.passed === 0) return;
      // Boschloo's p-value never exceeds Fisher's, which is used when neither is small.
      const worse = chanceOfBreak(before, { ...after, passed: after.passed - 1 });
      assert.ok(worse <= found + 1e-9);
    }),
    { numRuns: 60 },
  );
});
