import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { seededRandom } from "../../support/seeded-random.ts";
import { logSaving } from "../../../../src/engine/verdict/statistics/log-saving.ts";
import { gatherTasks } from "../../../../src/engine/verdict/statistics/pairs.ts";
import { makeRounds } from "../support/samples.ts";

/** Rounds in which the change makes each other task dearer by a factor, and the others cheaper by as much. */
function spreadRounds(seed: number, factor: number) {
  const samples = makeRounds({ random: seededRandom(seed), tasks: 4, rounds: 30, astray: 0 });
  return samples.map((sample) =>
    sample.side === 0
      ? sample
      : {
          ...sample,
          tokens:
            sample.tokens *
            (sample.taskId.endsWith("0") || sample.taskId.endsWith("2") ? factor : 1 / factor),
        },
  );
}

const widthOf = (samples: ReturnType<typeof spreadRounds>) => {
  const { low, high } = logSaving(gatherTasks(samples)).interval(1.645);
  return Math.log(1 - low) - Math.log(1 - high);
};

test("An interval is wider where effects differ between tasks, beyond what noise explains", () => {
  fc.assert(
    fc.property(fc.nat(10_000), (seed) => {
      const [equal, spread] = [widthOf(spreadRounds(seed, 1)), widthOf(spreadRounds(seed, 1.5))];
      assert.ok(spread > 1.5 * equal, `${equal} ${spread}`);
    }),
    { numRuns: 30 },
  );
});

test("More rounds of the same few tasks do not make an interval of their spread much narrower", () => {
  const samples = spreadRounds(7, 1.5);
  const half = samples.filter(({ round }) => round <= 15);
  assert.ok(widthOf(samples) > 0.8 * widthOf(half), `${widthOf(half)} ${widthOf(samples)}`);
});

test("Names, order and a common size of tasks change nothing", () => {
  fc.assert(
    fc.property(fc.nat(10_000), fc.double({ min: 0.1, max: 10, noNaN: true }), (seed, size) => {
      const samples = spreadRounds(seed, 1.2);
      const changed = samples
        .map((sample) => ({
          ...sample,
          taskId: `x${9 - Number(sample.taskId.at(-1))}`,
          tokens: sample.tokens * size,
        }))
        .reverse();
      assert.ok(Math.abs(widthOf(samples) - widthOf(changed)) < 1e-6);
    }),
    { numRuns: 20 },
  );
});
