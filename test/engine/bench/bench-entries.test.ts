import assert from "node:assert/strict";
import { test } from "node:test";
import { entriesOfRun } from "../../../src/engine/bench/bench-entries.ts";
import type { BenchRun } from "../../../src/engine/bench/run-facts.ts";
import { expectedFromRuns } from "../../../src/engine/bench/plan.ts";
import { open, appendEntries } from "../ledger/support/support.ts";
import { scratchFolder } from "../support/scratch.ts";

function run(round: number, tokens: number, more: Partial<BenchRun> = {}): BenchRun {
  return {
    id: `b:${round}:sql-01:0`,
    benchId: "b",
    side: 0,
    configurationHash: "c",
    role: "active",
    agent: "sql",
    taskId: "sql-01",
    taskHash: "t",
    suiteHash: "s",
    fixtureHash: "f",
    model: "m",
    round,
    driver: "claude",
    recordedBy: null,
    outcome: "passed",
    detail: null,
    processingTokens: tokens,
    turns: 3,
    toolCalls: 2,
    filesReread: 1,
    usage: { input: tokens - 30, output: 10, cacheCreation5m: 15, cacheCreation1h: 5, cacheRead: 700 },
    sessionId: "x",
    startedAt: 1000 * round,
    durationMs: 10.4,
    overheadMs: 1,
    checkMs: 2,
    trajectory: null,
    ...more,
  };
}

test("the first completed run is a task's baseline for ever, and the best only goes down", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const reported = [
    run(1, 900, { outcome: "failed" }),
    run(2, 1000),
    run(3, 800),
    run(4, 950),
    // Runs of another configuration, however good.
    run(5, 100, { side: 1, id: "b:5:sql-01:1", configurationHash: "d", role: "candidate" }),
    // Re-audits with and without a rule: even the first side is not the agent as it is.
    ...([0, 1] as const).map((side) =>
      run(8, 90 + side, { side, id: `b:8:sql-01:${side}`, configurationHash: "e", role: "audit" }),
    ),
    run(6, 700, { model: "other" }),
    run(7, 600, { driver: "replay", recordedBy: "script" }),
  ];
  for (const each of [...reported, ...reported]) await appendEntries(ledger, ...entriesOfRun(each));
  const { baselines, runs, spent } = ledger.ask("goldenBook", 0);
  assert.deepEqual(
    baselines.map((each) => [each.model, each.driver, each.run1Tokens, each.bestTokens]),
    [
      ["m", "claude", 1000, 800],
      ["other", "claude", 700, 700],
    ],
  );
  assert.equal(runs.length, 9);
  assert.deepEqual(spent, { realWork: 0, benches: 900 + 1000 + 800 + 950 + 100 + 90 + 91 + 700 });
  assert.deepEqual(ledger.ask("goldenBook", 4500).spent, { realWork: 0, benches: 800 + 90 + 91 });
  assert.deepEqual(ledger.ask("realRuns", { most: 10, project: null }), []);
});

test("a run's expected cost comes from earlier runs", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  for (const each of [run(1, 900), run(2, 1100), run(3, 1000, { driver: "replay" })])
    await appendEntries(ledger, ...entriesOfRun(each));
  const asked = { agent: "sql", model: "m", suiteHash: "s", driver: "claude" };
  assert.equal(expectedFromRuns(ledger.ask("goldenBook", 0).runs, asked), null);
  await appendEntries(
    ledger,
    ...entriesOfRun(run(4, 1000, { outcome: "environment" })),
    ...entriesOfRun(run(5, 1000)),
  );
  const expected = expectedFromRuns(ledger.ask("goldenBook", 0).runs, asked);
  assert.deepEqual([expected?.perRun, expected?.cacheReadPerRun, expected?.source], [1000, 700, "measured"]);
  // Robust: the middle one of the distances from the median, of 900, 1000 and 1100.
  assert.ok(Math.abs((expected?.spread ?? 0) - 0.174) < 0.001);
});
