import assert from "node:assert/strict";
import { test } from "node:test";
import type { BenchRun } from "../../../src/engine/bench/run-facts.ts";
import { costSaving } from "../../../src/engine/verdict/cost-saving.ts";
import { judge } from "../../../src/engine/verdict/judge.ts";
import { samplesOfRuns } from "../../../src/engine/verdict/measure-pair.ts";
import { makeRun } from "../../webview/experiments/bench/fixtures.ts";
import { question } from "./support/samples.ts";

const weights = new Map<string, number>();
/** USD a token, by model. */
const rates: Readonly<Record<string, number>> = { sonnet: 3e-6, haiku: 1e-6 };
const price = (runs: readonly BenchRun[]) => {
  const each = runs.map(({ model, processingTokens }) => {
    const rate = rates[model];
    return rate === undefined ? null : processingTokens * rate;
  });
  return each.reduce<number | null>((sum, usd) => (sum === null || usd === null ? null : sum + usd), 0);
};

/** A seeded normal deviate. */
function deviates(seed: number): () => number {
  let state = seed;
  const uniform = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** Runs of four tasks on both sides, with noise. @param factor tokens with the change, as a share */
function runsOf(seed: number, { factor = 1, models = ["sonnet", "haiku"], rounds = 6, tasks = 4 } = {}) {
  const normal = deviates(seed);
  return Array.from({ length: rounds * tasks * 2 }, (_, index): BenchRun => {
    const side = index % 2;
    const task = Math.floor(index / 2) % tasks;
    const tokens = 30_000 * (1 + task) * (side === 1 ? factor : 1) * Math.exp(0.15 * normal());
    return makeRun(`task-${task}`, 1 + Math.floor(index / 2 / tasks), {
      side,
      model: models[side] ?? "",
      processingTokens: Math.round(tokens),
    });
  });
}

test("at one price a token, the share of cost is that of tokens", () => {
  const runs = runsOf(7, { factor: 0.7, models: ["haiku", "haiku"] });
  const cost = costSaving({ runs, weights, price }, question);
  const tokens = judge(samplesOfRuns(runs, weights), question).savingShare;
  assert.ok(cost !== null && tokens !== null);
  for (const end of ["value", "low", "high"] as const)
    assert.ok(Math.abs(cost.share[end] - tokens[end]) < 1e-6, end);
});

test("a cheaper model saves money without saving tokens", () => {
  const cost = costSaving({ runs: runsOf(11), weights, price }, question);
  assert.ok(cost !== null);
  assert.ok(cost.share.low > 0.5 && cost.share.high < 0.8, JSON.stringify(cost.share));
  assert.ok(Math.abs(cost.before / (75_000 * 3e-6) - 1) < 0.2, String(cost.before));
});

test("the interval holds the true share in at least nine of ten experiments", () => {
  const truth = 1 - 0.9 / 3;
  const held = Array.from({ length: 200 }, (_, index) => {
    const runs = runsOf(1000 + 97 * index, { factor: 0.9 });
    const { low = 1, high = 0 } = costSaving({ runs, weights, price }, question)?.share ?? {};
    return low <= truth && truth <= high;
  }).filter(Boolean).length;
  assert.ok(held >= 180, `${held} of 200`);
});

test("is unknown without a price, with one task alone, and without runs", () => {
  const of = (runs: readonly BenchRun[]) => costSaving({ runs, weights, price }, question);
  assert.equal(of(runsOf(3, { models: ["sonnet", "unheard-of"] })), null);
  assert.equal(of(runsOf(3, { tasks: 1 })), null);
  assert.equal(of([]), null);
  // A run that died of its environment has no part in it.
  const died = runsOf(3).map((run, index) =>
    index === 0 ? { ...run, outcome: "environment" as const, model: "?" } : run,
  );
  assert.notEqual(of(died), null);
});
