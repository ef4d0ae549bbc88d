import assert from "node:assert/strict";
import { test } from "node:test";
import { earlierExperiments, newExperiments } from "../../../src/extension/bench/new-experiment.ts";
import { panels } from "../../../src/extension/panels/registry.ts";

const t = (message: string) => message;

test("each experiment goes on in a command of a panel", () => {
  const known = Object.values(panels).flatMap(({ commands }): readonly string[] => commands);
  const all = [...newExperiments(t), ...earlierExperiments({ hasUnfinished: true }, t)];
  assert.deepEqual(
    all.filter(({ command }) => !known.includes(command)),
    [],
  );
  assert.deepEqual(
    newExperiments(t).map(({ label }) => label),
    ["Benchmark", "Comparison", "Measure Rules", "Trial on Real Work", "Shorter Prompt"],
  );
});

test("offers to resume only where something is unfinished", () => {
  const labels = (hasUnfinished: boolean) =>
    earlierExperiments({ hasUnfinished }, t).map(({ label }) => label);
  assert.deepEqual(labels(false), ["Open Benchmarks", "Open Comparisons"]);
  assert.deepEqual(labels(true), ["Resume…", "Open Benchmarks", "Open Comparisons"]);
});
