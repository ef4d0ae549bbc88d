import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  addCounters,
  increaseOf,
  isSame,
  isZero,
  type Counters,
} from "../../../src/engine/usage/api-response.ts";

describe("the increase of cumulative counters", () => {
  it("is the difference while they grow", () => {
    const { delta, isReset } = increaseOf({ input: 100, output: 10 }, { input: 150, output: 10 });
    assert.deepEqual({ delta, isReset }, { delta: { input: 50, output: 0 }, isReset: false });
  });

  it("is the whole value without an earlier one", () => {
    assert.deepEqual(increaseOf(null, { input: 5 }), { delta: { input: 5 }, isReset: false });
  });

  it("is the whole value of every counter when any of them went back", () => {
    const before = { input: 100, cached: 20, output: 10 };
    const now = { input: 50, cached: 5, output: 40 };
    assert.deepEqual(increaseOf(before, now), { delta: now, isReset: true });
  });

  it("does not take a counter that only one side has for a reset", () => {
    assert.deepEqual(increaseOf({ input: 100 }, { input: 110, written: 30 }).delta, {
      input: 10,
      written: 30,
    });
    assert.deepEqual(increaseOf({ input: 100, written: 30 }, { input: 110 }), {
      delta: { input: 10 },
      isReset: false,
    });
  });

  it("conserves the total count, over any number of resets", () => {
    const step = fc.record({ input: fc.nat(1000), cached: fc.nat(1000), output: fc.nat(1000) });
    /** Each run's steps; the first has at least one counter below the end of the last run. */
    fc.assert(
      fc.property(fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { maxLength: 5 }), (runs) => {
        let before: Counters | null = null;
        let counted: Counters = {};
        let expected: Counters = {};
        for (const run of runs) {
          let total: Counters = {};
          for (const used of run) {
            total = addCounters(total, used);
            const { delta }: { delta: Counters } = increaseOf(before, total);
            const hidden: Counters | null = before;
            before = total;
            counted = addCounters(counted, delta);
            // A reset without evidence is undetectable: such a run appears to continue.
            if (used === run[0] && hidden !== null && !increaseOf(hidden, total).isReset)
              counted = addCounters(counted, hidden);
          }
          expected = addCounters(expected, total);
        }
        assert.ok(isSame(counted, expected));
      }),
    );
  });
});

describe("counters", () => {
  it("are equal whatever zeros they list", () => {
    assert.ok(isSame({ input: 1, output: 0 }, { input: 1 }));
    assert.ok(!isSame({ input: 1 }, { input: 1, output: 2 }));
    assert.ok(isZero({ input: 0 }) && isZero({}) && !isZero({ input: 1 }));
  });
});
