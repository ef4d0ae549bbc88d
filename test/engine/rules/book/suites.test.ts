import assert from "node:assert/strict";
import { test } from "node:test";
import type { TaskResults } from "../../../../src/engine/ledger/rule-questions.ts";
import { reportOf } from "../../../../src/engine/rules/book/report.ts";
import { rulesIn } from "../../../../src/engine/rules/book/rules-book-rows.ts";

function suiteOf(tasks: readonly TaskResults[], taskWeights: ReadonlyMap<string, number>) {
  const report = reportOf(
    rulesIn({ rules: [], steps: [], receipts: [], memories: [], questions: [] }),
    { all: [], runs: [], project: null },
    {
      facts: {
        suites: [{ agent: "scout", model: "m", suiteHash: "s", driver: "claude", tasks, lastAt: 3 }],
        questions: { newest: [], count: 0, byAgent: [] },
        spent: { realWork: 0, benches: 0 },
      },
      findings: [],
      cost: () => 0,
      taskWeights,
    },
  );
  return report.agents[0]?.suites[0];
}

test("A suite's figures are those of a run, where tasks count by their weight; one that is unknown counts once", () => {
  const tasks = [
    { hash: "one", run1: 1000, best: 700, last: 900 },
    { hash: "two", run1: 400, best: 400, last: 300 },
  ];
  const suite = { model: "m", suiteHash: "s", driver: "claude", tasks: 2, lastAt: 3 };
  assert.deepEqual(suiteOf(tasks, new Map([["one", 3]])), { ...suite, run1: 850, best: 625, last: 750 });
  assert.deepEqual(suiteOf(tasks, new Map()), { ...suite, run1: 700, best: 550, last: 600 });
});

test("The last runs have no figure while one of the tasks has none", () => {
  const tasks = [
    { hash: "one", run1: 1000, best: 700, last: 900 },
    { hash: "two", run1: 400, best: 400, last: null },
  ];
  assert.equal(suiteOf(tasks, new Map())?.last, null);
});
