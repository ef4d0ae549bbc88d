import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { test, type TestContext } from "node:test";
import { compareJson } from "../../../../../src/engine/cli/compare/compare-schema.ts";
import { jobView, type JobOrder } from "../../../../../src/engine/jobs/bench-answers.ts";
import { readReceipt } from "../../../../../src/engine/verdict/receipt/receipt.ts";
import { makeCompareSetup } from "../../../cli/compare/setup.ts";
import { recordedSuite } from "../../../cli/rules/select-suite.ts";
import { Scratch } from "../../../cli/support/support.ts";
import { assert } from "../../../support/assert-texts.ts";
import { childEnv } from "../../../support/child-env.ts";
import { makeJobSetup, jobWhen } from "../../../service/support/job-place.ts";
import {
  free,
  isOver,
  begin,
  approvedRules,
  selectAsk,
  settledOf,
  places,
  assertOnce,
} from "../support/selections.ts";

test("a selection by replay shows what one is like, and decides, pools and compares with nothing", async (t) => {
  const place = await makeJobSetup(t, await recordedSuite(t));
  const jobs = place.serve();
  const [good, bad] = await approvedRules(place);
  for (let times = 0; times < 2; times += 1) {
    const job = await jobWhen(jobs, begin(jobs, selectAsk(place)), isOver);
    assert.equal(job.state.kind, "done", JSON.stringify([job.state, place.problems]));
    assert.deepEqual(settledOf(job), [
      [good, "settled", "approved", "saves"],
      [bad, "settled", "approved", "regression"],
    ]);
    for (const { result } of job.selection?.rules ?? []) {
      assert.deepEqual([result?.rounds.pooled, result?.spent.usd], [0, null]);
      assert.match(
        result?.receipt.markdown ?? "",
        /Demo: replays a recording\. It says nothing about a model\./u,
      );
      assert.doesNotMatch(result?.receipt.markdown ?? "", /\$\d/u);
    }
  }
  const view = await place.rules.view(place.root);
  assert.deepEqual(
    view.ok
      ? view.value.view.rules.map(({ status, strikes, saving: saved, auditedAt, receipts }) => [
          status,
          strikes,
          saved,
          auditedAt,
          ...receipts.map(({ isDemo }) => isDemo),
        ])
      : [],
    [
      ["approved", 0, null, null, true],
      ["approved", 0, null, null, true],
    ],
  );
  const evidence = await place.rules.evidence("backend");
  assert.deepEqual(evidence.ok && evidence.value.evidence, []);
  assert.deepEqual(place.ledger.ask("goldenBook", 0).baselines, []);
  assert.equal(
    (await place.rules.perform(good, { kind: "undo" }, place.root)).ok,
    true,
    "it is the user's to take back",
  );
});

test("a killed selection continues: settled results stay, and no run is repeated", async (t) => {
  const place = await makeJobSetup(t, await recordedSuite(t), { pace: 20 });
  const [good, bad] = await approvedRules(place);
  const jobs = place.serve();
  const id = begin(jobs, selectAsk(place));
  const half = await jobWhen(jobs, id, ({ selection, runs }) => {
    const [first] = selection?.rules ?? [];
    return first?.state === "settled" && runs.some(({ benchId }) => benchId.includes(bad));
  });
  place.kill();
  const dead = await jobWhen(jobs, id, isOver);
  assert.equal(dead.state.kind, "interrupted");
  assert.ok(jobs.resume(id, {}).ok);
  const job = await jobWhen(jobs, id, isOver);
  assert.equal(job.state.kind, "done", JSON.stringify([job.state, place.problems]));
  assert.deepEqual(settledOf(job), [
    [good, "settled", "approved", "saves"],
    [bad, "settled", "approved", "regression"],
  ]);
  assertOnce(job);
  const before = new Set(places(half));
  assert.ok(
    [...before].every((each) => places(job).includes(each)),
    "what was made stays",
  );
  assert.equal(
    place.ledger.ask("ruleBook", null).receipts.filter(({ subject }) => subject === "rule").length,
    2,
  );
});

const haiku = { kind: "model", model: "claude-haiku-4-5" } as const;

async function comparing(t: TestContext) {
  const recorded = await makeCompareSetup(t, [
    { when: null, tokens: 5000 },
    { when: { model: haiku.model }, tokens: 3000 },
  ]);
  const place = await makeJobSetup(t, recorded.suite);
  const ask: JobOrder = {
    kind: "compare",
    suite: place.suite,
    agent: "backend",
    change: haiku,
    shared: [],
    rounds: null,
    ...free,
  };
  return { recorded, place, ask, jobs: place.serve() };
}

test("a comparison gives the terminal's text, and the ledger has its receipt", async (t) => {
  const { recorded, place, ask, jobs } = await comparing(t);
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  const argv = [
    "compare",
    "model",
    "backend",
    "--model",
    haiku.model,
    "--driver",
    "replay",
    "--yes",
    "--json",
  ];
  const { stdout } = await scratch.purser(argv, {
    home: recorded.home,
    cwd: recorded.workspace,
    scratch: recorded.scratch,
    suite: recorded.suite,
    env: { ...childEnv, CLAUDE_CONFIG_DIR: path.join(recorded.home, ".claude") },
  });
  const json = compareJson.parse(JSON.parse(stdout));

  const plan = await jobs.plan({ ask, env: {} }, new AbortController().signal);
  assert.equal(plan.ok ? plan.value.runs : 0, json.plan.runs);
  const job = jobView.parse(await jobWhen(jobs, begin(jobs, ask), isOver));
  assert.equal(job.state.kind, "done", JSON.stringify([job.state, place.problems]));
  const result = job.comparison?.result;
  assert.ok(result);
  assert.deepEqual(
    [result.sentence, result.decision, result.stop, result.saving, result.savingShare],
    [json.sentence, json.verdict?.kind, json.verdict?.stop, json.verdict?.saving, json.verdict?.savingShare],
  );
  assert.deepEqual(
    result.sides.map(({ label, passed, figures }) => [label, passed, figures?.processingTokens]),
    json.sides.map(({ label, figures }, side) => [
      label,
      json.verdict?.passed[side],
      figures?.processingTokens,
    ]),
  );
  assert.deepEqual(
    result.tasks.map(({ taskId, title, value, runs }) => [taskId, title, value, runs]),
    ["three", "one", "two"].map((word) => {
      const task = json.verdict?.tasks.find(({ taskId }) => taskId === `backend-${word}`);
      return [`backend-${word}`, `Write ${word}`, task?.saving?.value ?? null, task?.pairs];
    }),
  );
  assert.equal(job.comparison?.looks.at(-1)?.decision, result.decision);
  assert.deepEqual([job.plan?.runs, job.runs.length], [json.plan.runs, result.spent.runs]);
  assertOnce(job);
  assert.ok(readReceipt(place.ledger.ask("receipt", result.receipt.id) ?? "").ok);
  const table = await text(place.ledger.export({ format: "csv", since: null, table: "comparisons" }));
  const [head = "", row = ""] = table.split(/\r?\n/u);
  const cells = new Map(head.split(",").map((column, index) => [column, row.split(",")[index]]));
  assert.deepEqual(
    ["id", "subject", "verdict", "status", "runs_one", "passed_other"].map((column) => cells.get(column)),
    [result.receipt.id, "comparison", "saves", "decided", "12", "12"],
  );
  assert.equal(Math.round(Number(cells.get("delta_tokens"))), -2000);
});

test("a cancelled comparison continues the same measurement, with the same result", async (t) => {
  const { place, ask, jobs } = await comparing(t);
  const short = { ...ask, rounds: 3 };
  const whole = await jobWhen(jobs, begin(jobs, short), isOver);
  // The next measurement of the same two orders its runs differently.
  const id = begin(jobs, short);
  await jobWhen(jobs, id, ({ runs }) => runs.length > 7);
  await jobs.cancel(id);
  const half = await jobWhen(jobs, id, isOver);
  assert.equal(half.state.kind, "cancelled");
  assert.equal(half.comparison?.result, null);
  assert.ok(jobs.resume(id, {}).ok);
  const job = await jobWhen(jobs, id, isOver);
  assert.equal(job.state.kind, "done", JSON.stringify([job.state, place.problems]));
  assert.equal(job.comparison?.benchId, half.comparison.benchId);
  assert.equal(job.comparison.attempt, 2);
  assertOnce(job);
  assert.ok(job.runs.length <= job.of);
  const result = job.comparison.result;
  assert.ok(result);
  const { own } = result.rounds;
  assert.equal(own, 3);
  assert.equal(job.runs.length, own * 6);
  for (const { made } of result.tasks) assert.deepEqual(made, [own, own]);
  assert.equal(result.decision, whole.comparison?.result?.decision);
});

test("a settled one is reported and not measured again when resumed", async (t) => {
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
  assert.deepEqual(again.comparison?.result, done.comparison?.result);
  assert.deepEqual(
    readdirSync(place.benches).filter((name) => name.startsWith("compare-")),
    [done.comparison?.benchId],
  );
});

test("an impossible comparison reports why", async (t) => {
  const { ask, jobs } = await comparing(t);
  const same: JobOrder = { ...ask, change: { kind: "model", model: "claude-sonnet-5-5" } };
  const plan = await jobs.plan({ ask: same, env: {} }, new AbortController().signal);
  assert.match(plan.ok ? "" : plan.detail.text, /Both sides are the same/u);
  const job = await jobWhen(jobs, begin(jobs, same), isOver);
  assert.equal(job.state.kind, "failed");
  assert.match("detail" in job.state ? job.state.detail.text : "", /Both sides are the same/u);
});
