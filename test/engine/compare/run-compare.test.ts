import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { afterEach, beforeEach, describe, test } from "node:test";
import { plainSentence } from "../../../src/engine/base/language.ts";
import type { AgentTask } from "../../../src/engine/bench/drivers/driver.ts";
import {
  planComparison,
  runComparison,
  type ComparisonRequest,
} from "../../../src/engine/compare/run-compare.ts";
import { readReceipt } from "../../../src/engine/verdict/receipt/receipt.ts";
import {
  configuration,
  ends,
  makeTinyBench,
  playing,
  portsOf,
  solves,
  type Played,
  type TinyBench,
} from "../bench/support/tiny-suite.ts";

let tiny: TinyBench;
const never = new AbortController().signal;

const requestOf = (more: Partial<ComparisonRequest> = {}): ComparisonRequest => ({
  id: "compare",
  suite: tiny.suite,
  base: configuration(),
  driver: "claude",
  seed: 3,
  parallel: 1,
  change: { kind: "model", model: "claude-haiku-4-5" },
  tokenCap: null,
  rounds: null,
  evidence: [],
  ...more,
});

async function compare(play: Played, more: Partial<ComparisonRequest> = {}, signal = never) {
  const expected = {
    perRun: 5100,
    cacheReadPerRun: 900,
    spread: 0.2,
    source: "measured",
    because: plainSentence("a test"),
  } as const;
  const driver = { ...playing(play), expected: () => expected };
  const ports = portsOf(tiny, driver);
  const looks: number[] = [];
  const answer = await runComparison(requestOf(more), ports, signal, {
    onBench: () => undefined,
    onRound: ({ rounds }) => void looks.push(rounds),
  });
  if (!answer.ok) throw new Error(answer.detail.text);
  return { ...answer.value, looks, played: driver.played.length };
}

const isChanged = ({ configuration: { model } }: AgentTask) => model === "claude-haiku-4-5";
const cheaper: Played = (task) => solves(task, isChanged(task) ? 3000 : 5000);

describe("a comparison", () => {
  beforeEach(async () => {
    tiny = await makeTinyBench(["one", "two", "three"]);
  });
  afterEach(async () => {
    assert.deepEqual(await readdir(tiny.scratch), [], "a scratch folder was left");
    await tiny.remove();
  });

  test("A cheaper model is found in a few rounds, with a sealed receipt of its own bench", async () => {
    const { settled, looks, end, played, verdict } = await compare(cheaper);
    assert.equal(end.kind, "finished");
    assert.equal(verdict.kind, "saves");
    assert.equal(played, looks.length * 6);
    const receipt = settled?.receipt;
    assert.ok(receipt !== undefined && readReceipt(JSON.stringify(receipt)).ok);
    assert.deepEqual(
      receipt.sides.map(({ model, figures }) => [model, Math.round(figures?.processingTokens ?? 0)]),
      [
        ["claude-sonnet-4-6", 5100],
        ["claude-haiku-4-5", 3100],
      ],
    );
    assert.equal(receipt.spent.runs, played);
    assert.deepEqual([receipt.subject.kind, receipt.rounds.own], ["comparison", looks.length]);
  });

  test("A variant that fails a task never wins, however cheap it is", async () => {
    const { verdict } = await compare((task) =>
      isChanged(task) && task.task.id.endsWith("two") ? ends(1000) : cheaper(task),
    );
    assert.equal(verdict.kind, "regression");
    assert.deepEqual(
      verdict.tasks.filter(({ regressed }) => regressed).map(({ taskId }) => taskId),
      ["backend-two"],
    );
  });

  test("Cancelled in the middle, it decides nothing; requested again it makes only the remaining runs", async () => {
    const stop = new AbortController();
    let runs = 0;
    const first = await compare(
      (task) => {
        runs += 1;
        if (runs === 9) stop.abort();
        return task.signal.aborted ? ends(0, { kind: "cancelled" }) : cheaper(task);
      },
      {},
      stop.signal,
    );
    assert.deepEqual([first.end.kind, first.settled, first.looks], ["cancelled", null, [1]]);
    const rest = await compare(cheaper);
    assert.equal(rest.verdict.kind, "saves");
    // The cancelled run is repeated, and counts as a run too.
    assert.equal(rest.settled?.receipt.spent.runs, rest.looks.length * 6 + 1);
    assert.ok(rest.played < rest.looks.length * 6);
  });

  test("It stops at its cap, in whole rounds", async () => {
    const { verdict, settled, tokensSpent } = await compare((task) => solves(task), { tokenCap: 70_000 });
    assert.deepEqual([verdict.stop, verdict.kind], ["cap", "undecided"]);
    assert.equal(tokensSpent, 2 * 6 * 5100);
    assert.equal(settled?.receipt.verdict.stop, "cap");
  });

  test("A change that changes nothing is refused before anything is run or planned", async () => {
    const driver = playing(cheaper);
    const request = requestOf({ change: { kind: "model", model: configuration().model } });
    const listeners = { onBench: () => undefined, onRound: () => undefined };
    const run = await runComparison(request, portsOf(tiny, driver), never, listeners);
    const planned = await planComparison(request, portsOf(tiny, driver));
    assert.ok(!run.ok && run.reason === "no_change" && !planned.ok);
    assert.equal(driver.played.length, 0);
  });

  test("Its plan is the maximum spending", async () => {
    const planned = await planComparison(requestOf({ rounds: 4 }), portsOf(tiny, playing(cheaper)));
    assert.ok(planned.ok);
    assert.equal(planned.value.runs, 4 * 6);
  });
});
