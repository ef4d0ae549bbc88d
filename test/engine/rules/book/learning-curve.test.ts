import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { learningCurve } from "../../../../src/engine/rules/book/report.ts";

const memory = { agent: "scout", text: "", madeBy: "purser" };
const memories = [
  { ...memory, version: "10", at: 90, ruleIds: ["u", "v"] },
  { ...memory, version: "2", at: 20, ruleIds: ["u"] },
];

test("Versions come in the order in which they were written, runs of before the first one first of all", () => {
  const run = (rulesetVersion: string | null, endedAt: number, processingTokens: number) => ({
    rulesetVersion,
    endedAt,
    processingTokens,
  });
  const runs = [run(null, 10, 9), run("2", 30, 4), run("2", 40, 8), run("gone", 50, 7), run("10", 95, 3)];
  assert.deepEqual(learningCurve(runs, memories), [
    { version: null, at: null, rules: null, runs: 1, mean: 9, median: 9, p25: 9, p75: 9 },
    { version: "2", at: 20, rules: 1, runs: 2, mean: 6, median: 6, p25: 4, p75: 8 },
    { version: "gone", at: null, rules: null, runs: 1, mean: 7, median: 7, p25: 7, p75: 7 },
    { version: "10", at: 90, rules: 2, runs: 1, mean: 3, median: 3, p25: 3, p75: 3 },
  ]);
});

test("No run is left out or counted twice, and quartiles are around the median", () => {
  const run = fc.record({
    rulesetVersion: fc.constantFrom(null, "2", "10", "x"),
    endedAt: fc.nat(),
    processingTokens: fc.nat(),
  });
  fc.assert(
    fc.property(fc.array(run), (runs) => {
      const curve = learningCurve(runs, memories);
      assert.equal(
        curve.reduce((sum, point) => sum + point.runs, 0),
        runs.length,
      );
      for (const { p25, median, p75 } of curve) assert.ok(p25 <= median && median <= p75);
    }),
  );
});
