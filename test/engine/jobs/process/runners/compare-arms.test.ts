import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test, type TestContext } from "node:test";
import { jobView, type JobOrder } from "../../../../../src/engine/jobs/bench-answers.ts";
import { readReceipt } from "../../../../../src/engine/verdict/receipt/receipt.ts";
import { makeCompareSetup } from "../../../cli/compare/setup.ts";
import { makeJobSetup, jobWhen } from "../../../service/support/job-place.ts";
import { assert } from "../../../support/assert-texts.ts";
import { assertOnce, begin, free, isOver, places } from "../support/selections.ts";

const [haiku, opus] = ["claude-haiku-4-5", "claude-opus-4-5"] as const;

async function comparing(t: TestContext, pace = 0) {
  const recorded = await makeCompareSetup(t, [
    { when: null, tokens: 5000 },
    { when: { model: haiku }, tokens: 3000 },
    { when: { model: opus }, tokens: 9000 },
  ]);
  const place = await makeJobSetup(t, recorded.suite, { pace });
  const ask: JobOrder = {
    kind: "compare",
    suite: place.suite,
    agent: "backend",
    change: { kind: "model", model: haiku },
    others: [{ kind: "model", model: opus }],
    shared: [],
    rounds: null,
    ...free,
  };
  return { place, ask, jobs: place.serve() };
}

test("a job of several changes has a row per arm, with its looks, result, and share of the cost", async (t) => {
  const { place, ask, jobs } = await comparing(t);
  const plan = await jobs.plan({ ask, env: {} }, new AbortController().signal);
  const job = jobView.parse(await jobWhen(jobs, begin(jobs, ask), isOver));
  assert.equal(job.state.kind, "done", JSON.stringify([job.state, place.problems]));
  const { comparison } = job;
  assert.equal(comparison?.title, `${haiku}, ${opus} vs. claude-sonnet-5-5`);
  assert.deepEqual([comparison.result, comparison.looks], [null, []]);
  const arms = comparison.arms ?? [];
  assert.deepEqual(
    arms.map(({ label, state, result }) => [label, state, result?.decision]),
    [
      [haiku, "settled", "saves"],
      [opus, "settled", "costs"],
    ],
  );
  for (const { looks, result } of arms) {
    assert.equal(looks.length, result?.rounds.own);
    assert.equal(looks.at(-1)?.decision, result?.decision);
    assert.ok(readReceipt(place.ledger.ask("receipt", result?.receipt.id ?? "") ?? "").ok);
  }
  const parts = arms.reduce((sum, { result }) => sum + (result?.spent.tokens ?? 0), 0);
  const whole = job.runs.reduce((sum, { processingTokens }) => sum + processingTokens, 0);
  assert.ok(Math.abs(parts - whole) <= 2, `${parts} of ${whole}`);
  assertOnce(job);
  // Decided changes are not run any further.
  assert.ok(plan.ok && job.runs.length < plan.value.runs);
  assert.ok(Math.abs(job.of - plan.value.runs) <= 1, `${job.of} of ${plan.value.runs}`);
});

test("a killed job of several changes continues: settled results stay, and no run is repeated", async (t) => {
  const { place, ask, jobs } = await comparing(t, 20);
  const id = begin(jobs, ask);
  const half = await jobWhen(
    jobs,
    id,
    ({ comparison }) => comparison?.arms?.some(({ state }) => state === "settled") === true,
  );
  place.kill();
  const dead = await jobWhen(jobs, id, isOver);
  assert.equal(dead.state.kind, "interrupted");
  const settled = half.comparison?.arms?.find(({ state }) => state === "settled");
  assert.ok(jobs.resume(id, {}).ok);
  const job = await jobWhen(jobs, id, isOver);
  assert.equal(job.state.kind, "done", JSON.stringify([job.state, place.problems]));
  assertOnce(job);
  assert.ok(places(half).every((each) => places(job).includes(each)));
  const same = job.comparison?.arms?.find(({ label }) => label.text === settled?.label.text);
  assert.deepEqual(same?.result, settled?.result);
  const receipts = place.ledger.ask("ruleBook", null).receipts;
  assert.deepEqual(receipts.map(({ verdict }) => verdict).toSorted(), ["costs", "saves"]);
});

test("several settled changes are reported and not measured again when resumed", async (t) => {
  const { place, ask, jobs } = await comparing(t);
  const id = begin(jobs, { ...ask, rounds: 1 });
  const done = await jobWhen(jobs, id, isOver);
  await jobs.stop();
  const file = path.join(place.benches, id, "job.json");
  const kept: unknown = JSON.parse(readFileSync(file, "utf8"));
  assert.ok(typeof kept === "object");
  writeFileSync(file, JSON.stringify({ ...kept, state: { kind: "running" } }));
  const next = place.serve();
  assert.equal((await next.jobs.read(id)).view?.state.kind, "interrupted");
  assert.ok(next.resume(id, {}).ok);
  const again = await jobWhen(next, id, isOver);
  assert.equal(again.state.kind, "done");
  assert.deepEqual(
    again.comparison?.arms?.map(({ result }) => result),
    done.comparison?.arms?.map(({ result }) => result),
  );
  assert.equal(again.runs.length, done.runs.length);
});
