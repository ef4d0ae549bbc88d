import assert from "node:assert/strict";
import { test } from "node:test";
import { jobView } from "../../../../../src/engine/jobs/bench-answers.ts";
import { breaking, recordedSuite, saving } from "../../../cli/rules/select-suite.ts";
import { makeJobSetup, jobWhen } from "../../../service/support/job-place.ts";
import { fakeClaude, noShell } from "../../../support/fake-claude.ts";
import { approvedRules, assertOnce, begin, isOver, places, selectAsk } from "../support/selections.ts";

test(
  "killed during the confirmation of a set, a selection continues: no run is repeated, one report",
  { skip: noShell },
  async (t) => {
    const place = await makeJobSetup(t, await recordedSuite(t), {
      claude: fakeClaude(t, { saving, breaking: "none such", also: breaking }),
    });
    const ids = await approvedRules(place);
    const jobs = place.serve();
    const id = begin(jobs, { ...selectAsk(place), driver: "claude" });
    const half = await jobWhen(jobs, id, ({ selection }) => (selection?.set?.looks.length ?? 0) >= 2);
    assert.deepEqual(half.selection?.set?.found.toSorted(), ids.toSorted());
    place.kill();
    assert.equal((await jobWhen(jobs, id, isOver)).state.kind, "interrupted");
    assert.ok(jobs.resume(id, {}).ok);
    const job = jobView.parse(await jobWhen(jobs, id, isOver));
    assert.equal(job.state.kind, "done", JSON.stringify([job.state, place.problems]));
    assertOnce(job);
    assert.ok(
      places(half).every((each) => places(job).includes(each)),
      "what was made stays",
    );
    const set = job.selection?.set;
    assert.deepEqual([set?.state, set?.decision, set?.result?.decision], ["settled", "confirmed", "saves"]);
    assert.deepEqual(
      set?.looks.map(({ round }) => round),
      set?.looks.map((_, index) => index + 1),
    );
    assert.match(set?.result?.receipt.markdown ?? "", /- So: confirmed/u);
    assert.deepEqual(
      job.selection?.rules.map(({ state, status }) => [state, status]),
      [
        ["settled", "measured"],
        ["settled", "measured"],
      ],
    );
    const receipts = place.ledger.ask("ruleBook", null).receipts.map(({ subject }) => subject);
    assert.deepEqual(receipts.filter((subject) => subject !== "evidence").sort(), ["rule", "rule", "set"]);
    assert.deepEqual(
      place.ledger.ask("goldenBook", 0).baselines.length > 0,
      true,
      "no rules is the agent as it is",
    );
  },
);

const never = new AbortController().signal;

test(
  "passed rules are confirmed as a whole on request: planned first, killed and resumed, one report",
  { skip: noShell },
  async (t) => {
    const place = await makeJobSetup(t, await recordedSuite(t), {
      claude: fakeClaude(t, { saving, breaking: "none such", also: breaking }),
    });
    const ids = await approvedRules(place);
    const jobs = place.serve();
    const ask = { ...selectAsk(place), driver: "claude", isConfirming: true } as const;
    const early = await jobs.plan({ ask, env: {} }, never);
    assert.match(early.ok ? "" : early.detail.text, /fewer than two rules of backend have passed/u);
    const replayed = await jobs.plan({ ask: { ...ask, driver: "replay" }, env: {} }, never);
    assert.match(replayed.ok ? "" : replayed.detail.text, /a replay confirms no rules/u);
    const first = begin(jobs, { ...ask, isConfirming: false });
    // Ended before the found rules are measured as a whole.
    await jobWhen(jobs, first, ({ selection }) => (selection?.set?.looks.length ?? 0) >= 1);
    assert.ok((await jobs.cancel(first)).ok);
    await jobWhen(jobs, first, isOver);
    const plan = await jobs.plan({ ask, env: {} }, never);
    assert.ok(plan.ok, plan.ok ? "" : plan.detail.text);
    assert.equal(plan.value.runs % 20, 0, "ten rounds of two sides");
    const id = begin(jobs, ask);
    await jobWhen(jobs, id, ({ selection }) => (selection?.set?.looks.length ?? 0) >= 2);
    place.kill();
    await jobWhen(jobs, id, isOver);
    assert.ok(jobs.resume(id, {}).ok);
    const job = jobView.parse(await jobWhen(jobs, id, isOver));
    assert.equal(job.state.kind, "done", JSON.stringify([job.state, place.problems]));
    assertOnce(job);
    assert.deepEqual(job.selection?.rules, []);
    const set = job.selection.set;
    assert.deepEqual([set?.state, set?.decision], ["settled", "confirmed"]);
    assert.deepEqual(set?.found.toSorted(), ids.toSorted());
    const receipts = place.ledger.ask("ruleBook", null).receipts.map(({ subject }) => subject);
    assert.equal(receipts.filter((subject) => subject === "set").length, 1);
  },
);
