import { plainSentence } from "../../../../src/engine/base/language.ts";
import type { BenchRun } from "../../../../src/engine/bench/run-facts.ts";
import type { BenchPlan } from "../../../../src/engine/bench/plan.ts";
import type { BenchAsk, JobOutline } from "../../../../src/engine/jobs/bench-answers.ts";

/** Synthetic benches, the same in every run. */

export const began = Date.parse("2026-11-21T10:00:00Z");

export const ask: BenchAsk = {
  kind: "bench",
  suite: { origin: "built-in" },
  agents: ["backend"],
  taskIds: null,
  model: null,
  effort: null,
  driver: "replay",
  runs: 2,
  parallel: 1,
  tokenCap: null,
};

export const outline: JobOutline = {
  rounds: 2,
  of: 4,
  sides: [
    {
      label: plainSentence("no rules"),
      agent: "backend",
      model: "sonnet",
      hash: "c0",
      suiteHash: "s",
      role: "active",
    },
  ],
  tasks: [
    {
      id: "backend-01",
      agent: "backend",
      title: "Refuse an order without a customer",
      weight: 1,
      hash: "hash of backend-01",
    },
    {
      id: "backend-02",
      agent: "backend",
      title: "Page through orders",
      weight: 3,
      hash: "hash of backend-02",
    },
  ],
};

export const plan: BenchPlan = {
  driver: "replay",
  recordedBy: ["script"],
  runs: 4,
  made: 0,
  tokens: 0,
  cacheReadTokens: 0,
  usd: 0,
  expected: {
    perRun: 40_000,
    cacheReadPerRun: 200_000,
    spread: 0.2,
    source: "measured",
    because: plainSentence("recording (script)"),
  },
  smallestSaving: null,
  tokenCap: null,
  metaCost: null,
  warnings: [],
  install: null,
};

export function makeRun(change: Partial<BenchRun> = {}): BenchRun {
  const { benchId = "one", side = 0, taskId = "backend-01", round = 1 } = change;
  return {
    id: `${benchId}.${side}.${taskId}.${round}`,
    benchId,
    side,
    taskId,
    round,
    configurationHash: "c0",
    role: "active",
    agent: "backend",
    taskHash: `hash of ${taskId}`,
    suiteHash: "s",
    fixtureHash: "f",
    model: "sonnet",
    driver: "replay",
    recordedBy: "script",
    outcome: "passed",
    detail: null,
    processingTokens: 40_000,
    turns: 9,
    toolCalls: 14,
    filesReread: 2,
    usage: {
      input: 1000,
      output: 4000,
      cacheCreation5m: 35_000,
      cacheCreation1h: 0,
      cacheRead: 200_000,
    },
    sessionId: null,
    startedAt: began,
    durationMs: 60_000,
    overheadMs: 400,
    checkMs: 900,
    trajectory: null,
    ...change,
  };
}
