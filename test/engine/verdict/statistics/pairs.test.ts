import assert from "node:assert/strict";
import fc from "fast-check";
import { test } from "node:test";
import {
  gather,
  gatheredSince,
  gatherTasks,
  tasksBetween,
  sorted,
} from "../../../../src/engine/verdict/statistics/pairs.ts";
import type { RunSample } from "../../../../src/engine/verdict/verdict.ts";

const anySample: fc.Arbitrary<RunSample> = fc.record({
  taskId: fc.constantFrom("a", "b", "__proto__"),
  weight: fc.constantFrom(1, 2, 0, NaN),
  side: fc.constantFrom(0 as const, 1 as const),
  round: fc.integer({ min: -1, max: 6 }),
  tokens: fc.oneof(fc.constantFrom(0, -1, Infinity), fc.nat(90_000)),
  passed: fc.boolean(),
  together: fc.constantFrom([], ["other"], ["other", "more"]),
});

test("A part of the gathered evidence equals gathering that part alone", () => {
  fc.assert(
    fc.property(
      fc.array(anySample, { maxLength: 60 }),
      fc.integer({ min: -1, max: 7 }),
      fc.integer({ min: -1, max: 7 }),
      (samples, from, to) => {
        const within = samples.filter(({ round }) => round >= from && round <= to);
        assert.deepEqual(tasksBetween(gatherTasks(samples), { from, to }), gatherTasks(within));
        const since = samples.filter(({ round }) => round >= from);
        assert.deepEqual(gatheredSince(gather(samples), from), gather(since));
      },
    ),
  );
});

test("Few numbers and many are sorted the same way", () => {
  const numbers = fc.array(fc.double({ noNaN: true }), { maxLength: 200 });
  fc.assert(
    fc.property(numbers, (values) => {
      const expected = values.toSorted((one, other) => one - other);
      for (const [index, value] of [...sorted(values)].entries()) assert.ok(value === expected[index]);
    }),
  );
});
