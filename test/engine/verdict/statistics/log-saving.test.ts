import { test } from "node:test";
import assert from "node:assert/strict";
import fc from "fast-check";
import { logSaving } from "../../../../src/engine/verdict/statistics/log-saving.ts";
import { gatherTasks } from "../../../../src/engine/verdict/statistics/pairs.ts";
import { robustFit, tame } from "../../../../src/engine/verdict/statistics/robust-fit.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { makeRounds } from "../support/samples.ts";

test("A fit finds the coefficients of rows without noise, and 0 for an uninformative column", () => {
  const coefficients = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(coefficients, fc.nat(), (truth, seed) => {
      const random = seededRandom(seed);
      const rows = Array.from({ length: 40 }, () => {
        const columns = [...truth.map(() => random.normal()), 0];
        const value = truth.reduce((sum, each, index) => sum + each * (columns[index] ?? 0), 0);
        return { value, columns, weight: 0.5 + random.next(), precision: 1 };
      });
      const found = robustFit(rows, truth.length + 1).coefficients;
      for (const [index, each] of truth.entries()) assert.ok(Math.abs((found[index] ?? NaN) - each) < 1e-4);
      assert.ok(Math.abs(found.at(-1) ?? NaN) < 1e-9);
    }),
  );
});

test("A run gone astray hardly moves a robust fit, and its residual is bounded", () => {
  const random = seededRandom(4);
  const rows = Array.from({ length: 40 }, () => ({
    value: 1 + 0.1 * random.normal(),
    columns: [1],
    weight: 1,
    precision: 1,
  }));
  const [clean] = robustFit(rows, 1).coefficients;
  const [astray] = robustFit([...rows, { value: 8, columns: [1], weight: 1, precision: 1 }], 1).coefficients;
  assert.ok(Math.abs((astray ?? NaN) - (clean ?? NaN)) < 0.05);
  assert.ok(Math.abs(tame(1e9, 1)) <= 2 && Math.abs(tame(0.1, 1) - 0.1) < 1e-3);
});

test("Evidence falls as the share rises, and the interval ends where it meets the boundary", () => {
  fc.assert(
    fc.property(fc.nat(), fc.constantFrom(-0.3, 0, 0.2), (seed, saves) => {
      const samples = makeRounds({ random: seededRandom(seed), tasks: 4, rounds: 6, saves });
      const found = logSaving(gatherTasks(samples));
      const shares = [-2, -0.5, -0.1, 0, 0.1, 0.5, 0.9];
      const evidence = shares.map((share) => found.evidence(share));
      for (const [index, each] of evidence.entries())
        assert.ok(index === 0 || each <= (evidence[index - 1] ?? Infinity) + 1e-9, JSON.stringify(evidence));
      const { low, high } = found.interval(2);
      assert.ok(low <= found.share && found.share <= high);
      assert.ok(Math.abs(found.evidence(low) - 2) < 1e-5 && Math.abs(found.evidence(high) + 2) < 1e-5);
    }),
    { numRuns: 60 },
  );
});
