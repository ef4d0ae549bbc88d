import assert from "node:assert/strict";
import test from "node:test";
import { reportOf } from "../../../../src/engine/rules/book/report.ts";
import { rulesIn } from "../../../../src/engine/rules/book/rules-book-rows.ts";

const day = 24 * 60 * 60_000;
const monday = Date.UTC(2026, 10, 2);

test("a report has the median of an agent's runs per week from Monday, without empty weeks", () => {
  const run = (endedAt: number, processingTokens: number) => ({
    id: `r${endedAt}`,
    sessionId: "s",
    program: "claude-code",
    agent: "scout",
    project: null,
    model: "m",
    startedAt: endedAt - 1,
    endedAt,
    processingTokens,
    toolCalls: 1,
    filesReread: 0,
    rulesetVersion: null,
  });
  const runs = [
    run(monday, 100),
    run(monday + 7 * day - 1, 300),
    run(monday + 3 * day, 200),
    run(monday + 14 * day, 50),
  ];
  const report = reportOf(
    rulesIn({ rules: [], steps: [], receipts: [], memories: [], questions: [] }),
    { all: runs, runs, project: null },
    {
      facts: {
        suites: [],
        questions: { newest: [], count: 0, byAgent: [] },
        spent: { realWork: 0, benches: 0 },
      },
      findings: [],
      cost: () => 0,
      taskWeights: new Map(),
    },
  );
  assert.deepEqual(report.agents[0]?.weeks, [
    { at: monday, runs: 3, median: 200 },
    { at: monday + 14 * day, runs: 1, median: 50 },
  ]);
});
