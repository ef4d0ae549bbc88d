import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { savingPerCompleted } from "../../../../src/engine/verdict/statistics/per-completed.ts";

const bounds = { boundary: 1.64, level: 0.9 };
const saved = (share: number, reach = 0.1) => ({
  share,
  interval: (boundary: number) => ({ low: share - reach * boundary, high: share + (reach * boundary) / 2 }),
});
const sides = fc
  .integer({ min: 1, max: 200 })
  .chain((runs) => fc.record({ runs: fc.constant(runs), passed: fc.integer({ min: 1, max: runs }) }));

test("With equal passes the saving is that of the tokens, and never better known", () => {
  fc.assert(
    fc.property(fc.double({ min: -0.5, max: 0.6, noNaN: true }), sides, (share, side) => {
      const found = savingPerCompleted(saved(share), [side, side], bounds);
      assert.ok(found !== null);
      assert.ok(Math.abs(found.value - share) < 1e-9);
      assert.ok(found.low < saved(share).interval(1.64).low && found.high > saved(share).interval(1.64).high);
    }),
  );
});

test("More passes with the change never make it look worse, and more without it never better", () => {
  fc.assert(
    fc.property(sides, sides, (one, other) => {
      if (other.passed === other.runs || one.passed === one.runs) return;
      const of = (before: typeof one, after: typeof one) =>
        savingPerCompleted(saved(0.1), [before, after], bounds);
      const more = (side: typeof one) => ({ ...side, passed: side.passed + 1 });
      const [usual, better, worse] = [of(one, other), of(one, more(other)), of(more(one), other)];
      assert.ok(usual !== null && better !== null && worse !== null);
      assert.ok(better.value > usual.value && better.low >= usual.low);
      assert.ok(worse.value < usual.value);
    }),
  );
});

test("A tenth saved and ten points lost of 93 % saves nothing per completed task", () => {
  const found = savingPerCompleted(
    saved(0.1),
    [
      { passed: 930, runs: 1000 },
      { passed: 830, runs: 1000 },
    ],
    bounds,
  );
  assert.ok(Math.abs((found?.value ?? 1) + 0.0084) < 0.001);
});

test("Without a passed run on a side, nothing is known", () => {
  const passed = { passed: 3, runs: 4 };
  for (const none of [
    { passed: 0, runs: 4 },
    { passed: 0, runs: 0 },
  ]) {
    assert.equal(savingPerCompleted(saved(0.1), [passed, none], bounds), null);
    assert.equal(savingPerCompleted(saved(0.1), [none, passed], bounds), null);
  }
});
