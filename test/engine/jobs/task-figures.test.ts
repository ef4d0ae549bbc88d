import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type BenchRun, runOutcomes } from "../../../src/engine/bench/run-facts.ts";
import { figuresOfSide, figuresOfTasks, referencesOf } from "../../../src/engine/jobs/task-figures.ts";
import { began, makeRun, outline } from "./support/samples.ts";

const { tasks } = outline;

function figures(runs: readonly BenchRun[], all: readonly BenchRun[] = runs) {
  const of = { agent: "backend", model: "sonnet", suiteHash: "s", driver: "replay" } as const;
  const own = { side: 0, tasks, runs, of };
  const ofTasks = figuresOfTasks(own, referencesOf(all));
  return { tasks: ofTasks, side: figuresOfSide(own, ofTasks) };
}

const run = (taskId: string, round: number, processingTokens: number, change: Partial<BenchRun> = {}) =>
  makeRun({ taskId, round, processingTokens, startedAt: began + round * 1000, ...change });

test("run1 is the first completed run, and best the least, whichever bench they are of", () => {
  const runs = [
    run("backend-01", 1, 10_000, { outcome: "failed" }),
    run("backend-01", 2, 50_000),
    run("backend-01", 3, 40_000),
    run("backend-01", 4, 60_000),
    run("backend-01", 1, 30_000, { benchId: "other", model: "haiku" }),
  ];
  const reference = referencesOf(runs.toReversed());
  assert.deepEqual(reference(makeRun()), { run1: 50_000, best: 40_000 });
  assert.equal(reference(makeRun({ model: "opus" })), undefined);
});

test("the ledger's best stays, and only a new better run replaces it", () => {
  const key = { ...makeRun(), run1: 70_000, best: 45_000 };
  const reference = referencesOf([run("backend-01", 1, 50_000)], [key]);
  assert.deepEqual(reference(makeRun()), { run1: 70_000, best: 45_000 });
  assert.equal(referencesOf([run("backend-01", 1, 40_000)], [key])(makeRun())?.best, 40_000);
});

test("the mean covers completed runs only, and a failing environment does not count", () => {
  const { tasks: found } = figures([
    run("backend-01", 1, 50_000),
    run("backend-01", 2, 40_000),
    run("backend-01", 3, 1000, { outcome: "failed" }),
    run("backend-01", 4, 2000, { outcome: "environment" }),
    run("backend-01", 5, 3000, { outcome: "cancelled" }),
    run("backend-01", 6, 90_000, { outcome: "limit" }),
  ]);
  const [first, second] = found;
  assert.deepEqual([first?.runs, first?.passed, first?.mean], [4, 2, 45_000]);
  assert.deepEqual([second?.runs, second?.mean, second?.interval], [0, null, null]);
});

test("tasks count by their weight, against the same tasks' run1", () => {
  const before = [
    run("backend-01", 1, 100_000, { benchId: "old", startedAt: 0 }),
    run("backend-02", 1, 20_000, { benchId: "old", startedAt: 0 }),
  ];
  const runs = [run("backend-01", 1, 50_000), run("backend-02", 1, 20_000)];
  const { side } = figures(runs, [...before, ...runs]);
  assert.equal(side.tokens, (50_000 + 3 * 20_000) / 4);
  assert.equal(side.run1?.share, 110_000 / 160_000);
  assert.equal(side.interval, null, "one run a task says nothing of how far they lie apart");
});

test("the interval of two values is as a table of Student's t has it", () => {
  const { tasks: found } = figures([run("backend-01", 1, 40_000), run("backend-01", 2, 50_000)]);
  const interval = found[0]?.interval;
  // 6.314 × 5,000
  assert.equal(Math.round(interval?.low ?? -1), 45_000 - 31_570);
  assert.equal(Math.round(interval?.high ?? -1), 45_000 + 31_570);
});

test("runs of one configuration that differ by more than a quarter are flagged", () => {
  const flags = (one: number, other: number) =>
    figures([run("backend-01", 1, one), run("backend-01", 2, other)]).tasks[0]?.isUnsteady;
  assert.equal(flags(40_000, 50_000), false);
  assert.equal(flags(40_000, 50_001), true);
});

test("for any runs: intervals contain their value, counts agree, no NaN", () => {
  const anyRun = fc
    .record({
      taskId: fc.constantFrom("backend-01", "backend-02", "unknown"),
      round: fc.integer({ min: 1, max: 40 }),
      processingTokens: fc.integer({ min: 0, max: 1_000_000 }),
      outcome: fc.constantFrom(...runOutcomes),
      side: fc.integer({ min: 0, max: 1 }),
    })
    .map((change) => makeRun(change));
  fc.assert(
    fc.property(fc.array(anyRun, { maxLength: 30 }), (runs) => {
      const { tasks: found, side } = figures(runs);
      for (const one of found) {
        assert.ok(one.passed <= one.runs);
        assert.equal(one.mean === null, one.passed === 0);
        assert.equal(one.interval === null, one.passed < 2);
      }
      for (const interval of [
        side.interval,
        side.run1?.interval ?? null,
        ...found.map((one) => one.interval),
      ]) {
        if (interval === null) continue;
        assert.ok(interval.low <= interval.value + 1e-6 && interval.value <= interval.high + 1e-6);
      }
      assert.ok(!JSON.stringify([found, side]).includes("null,null,null,null"));
      const numbers = [side.tokens ?? 0, side.run1?.share ?? 0, side.best?.share ?? 0];
      assert.ok(numbers.every((value) => Number.isFinite(value)));
    }),
  );
});
