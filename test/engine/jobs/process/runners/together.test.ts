import assert from "node:assert/strict";
import { test } from "node:test";
import { benchPlan, jobView } from "../../../../../src/engine/jobs/bench-answers.ts";
import { readReceipt } from "../../../../../src/engine/verdict/receipt/receipt.ts";
import { breaking, recordedSuite, saving } from "../../../cli/rules/select-suite.ts";
import { makeJobSetup, jobWhen } from "../../../service/support/job-place.ts";
import { fakeClaude, noShell } from "../../../support/fake-claude.ts";
import {
  approvedRules,
  assertOnce,
  begin,
  isOver,
  places,
  selectAsk,
  settledOf,
} from "../support/selections.ts";

test(
  "killed while its rules share their runs, a selection continues: no run is repeated, and the ledger has each verdict and receipt",
  { skip: noShell },
  async (t) => {
    const place = await makeJobSetup(t, await recordedSuite(t), {
      claude: fakeClaude(t, { saving, breaking }),
    });
    const jobs = place.serve();
    const ask = { ...selectAsk(place), driver: "claude" } as const;
    const early = await jobs.plan({ ask, env: {} }, new AbortController().signal);
    assert.match(
      early.ok ? "" : early.detail.text,
      /no rule to measure/u,
      "nothing is measured that was not approved",
    );
    const [good, bad] = await approvedRules(place);
    const plan = await jobs.plan({ ask, env: {} }, new AbortController().signal);
    assert.ok(plan.ok, plan.ok ? "" : plan.detail.text);
    assert.ok(plan.value.smallestSaving !== null && plan.value.runs > 0 && plan.value.tokens > 0);
    const { power } = benchPlan.parse(plan.value);
    assert.deepEqual(
      [power?.together, power?.noise.source, power?.trial?.needed.length],
      [2, "estimated", 3],
    );

    const id = begin(jobs, ask);
    const half = await jobWhen(jobs, id, ({ selection, runs }) => {
      const looks = selection?.rules.map((rule) => rule.looks.length) ?? [];
      return runs.length > 0 && looks.some((count) => count >= 2);
    });
    place.kill();
    assert.equal((await jobWhen(jobs, id, isOver)).state.kind, "interrupted");
    assert.ok(jobs.resume(id, {}).ok);
    const job = jobView.parse(await jobWhen(jobs, id, isOver));
    assert.equal(job.state.kind, "done", JSON.stringify([job.state, place.problems]));
    assert.deepEqual(settledOf(job), [
      [good, "settled", "measured", "saves"],
      [bad, "settled", "evicted", "regression"],
    ]);
    assertOnce(job);
    assert.ok(
      places(half).every((each) => places(job).includes(each)),
      "what was made stays",
    );
    const receipts = place.ledger.ask("ruleBook", null).receipts.filter(({ subject }) => subject === "rule");
    assert.equal(receipts.length, 2);
    for (const { looks, result } of job.selection?.rules ?? []) {
      assert.deepEqual(
        looks.map(({ round }) => round),
        looks.map((_, index) => index + 1),
      );
      assert.equal(looks.at(-1)?.decision, result?.decision);
      assert.doesNotMatch(result?.receipt.markdown ?? "", /Demo/u);
      const kept = place.ledger.ask("receipt", result?.receipt.id ?? "");
      assert.ok(readReceipt(kept ?? "").ok, "its receipt is in the ledger, to the byte");
    }
    const view = await place.rules.view(place.root);
    assert.deepEqual(
      view.ok ? view.value.view.rules.map(({ status, receipts }) => [status, receipts.length]) : [],
      [
        ["measured", 1],
        ["evicted", 1],
      ],
    );
    // Each run has a rule under test, so none makes a baseline.
    assert.ok(job.runs.every(({ role }) => role === "candidate"));
    assert.deepEqual(place.ledger.ask("goldenBook", 0).baselines, []);
    assert.equal(job.selection?.isTogether, true);
  },
);
