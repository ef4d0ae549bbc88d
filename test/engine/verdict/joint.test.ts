import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom } from "../support/seeded-random.ts";
import { runJointExperiment, type JointProgress, type RoundPlan } from "../../../src/engine/verdict/joint.ts";
import { orthogonalRows, samplesOf, type JointRun } from "../../../src/engine/verdict/orthogonal-rows.ts";
import { judge } from "../../../src/engine/verdict/judge.ts";
import { jointQuestion } from "../../../src/engine/verdict/verdict.ts";
import { atMost } from "./support/samples.ts";

const never = new AbortController().signal;
const tasks = [30_000, 50_000, 80_000, 120_000];

/** @param saves true saving by rule, as a share */
function roundsOf(saves: Readonly<Record<string, number>>, seed: number, noise = 0.25) {
  const random = seededRandom(seed);
  return ({ round, open, kept }: RoundPlan): JointRun[] => {
    const rows = orthogonalRows(open.length);
    return tasks.flatMap((size, task) => {
      const row = rows[random.below(rows.length)] ?? [];
      return ([1, -1] as const).map((half): JointRun => {
        const rules = [...open.filter((_, index) => row[index] === half), ...kept];
        const effect = rules.reduce((product, rule) => product * (1 - (saves[rule] ?? 0)), 1);
        const tokens = Math.round(size * effect * Math.exp(noise * random.normal()));
        return { taskId: `task-${task}`, weight: 1, round, rules, tokens, passed: random.next() < 0.95 };
      });
    });
  };
}

function measure(saves: Readonly<Record<string, number>>, seed: number, tokenCap: number | null = null) {
  const make = roundsOf(saves, seed);
  const plans: RoundPlan[] = [];
  const settled: JointProgress[] = [];
  const count = Object.keys(saves).length;
  const question = jointQuestion("candidate", 50, { count, affordable: null });
  const outcome = runJointExperiment(
    {
      subjects: Object.keys(saves).map((id) => ({ id, question, pooled: [] })),
      tokenCap,
      expectedTokens: null,
    },
    {
      round: (plan) => {
        plans.push({ ...plan, kept: [...plan.kept] });
        return Promise.resolve({ kind: "made", runs: make(plan) });
      },
      onProgress: () => undefined,
      onSettled: (progress) => {
        settled.push(progress);
        return Promise.resolve({ isKept: progress.verdict.kind === "saves" });
      },
    },
    never,
  );
  return outcome.then((end) => ({ ...end, plans, settled }));
}

test("A settled rule leaves the design, one that saves stays in every run, and each is settled once", async () => {
  const { end, open, plans, settled } = await measure({ much: 0.5, none: 0, other: 0, dear: -0.4 }, 7);
  assert.deepEqual([end.kind, open], ["finished", []]);
  assert.deepEqual(settled.map(({ id }) => id).sort(), ["dear", "much", "none", "other"]);
  assert.equal(settled[0]?.verdict.kind === "undecided", false);
  const last = plans.at(-1);
  assert.ok(last !== undefined && last.kept.includes("much") && !last.open.includes("much"));
  assert.ok(!last.kept.includes("dear"));
  for (const { rounds, id } of settled)
    assert.equal(plans.filter((plan) => plan.open.includes(id)).length, rounds, id);
});

test("At the cap each rule is settled with the present evidence, and no round is begun that is expected to exceed it", async () => {
  const { end, tokensSpent, settled, plans } = await measure({ a: 0, b: 0 }, 1, 2_000_000);
  assert.equal(end.kind, "finished");
  assert.ok(tokensSpent <= 2_000_000 && plans.length >= 2);
  assert.deepEqual(
    settled.map(({ verdict }) => verdict.stop),
    ["cap", "cap"],
  );
});

test("One rule's saving is not attributed to another, however large it is", () => {
  const draws = 150;
  let wrong = 0;
  let missed = 0;
  const saves = { big: 0.6, mid: 0.2, dear: -0.3, none: 0 };
  const question = { ...jointQuestion("candidate", 50, { count: 4, affordable: null }), plannedRounds: 12 };
  for (let seed = 0; seed < draws; seed += 1) {
    const make = roundsOf(saves, seed);
    const open = Object.keys(saves);
    const runs = Array.from({ length: 12 }, (_, index) => make({ round: index + 1, open, kept: [] })).flat();
    const verdict = judge(samplesOf("none", runs), question);
    wrong += Number(verdict.kind !== "undecided");
    const share = judge(samplesOf("mid", runs), question).savingShare;
    missed += Number(share === null || share.low > 0.2 || share.high < 0.2);
  }
  assert.ok(wrong / draws <= atMost(0.1, draws), String(wrong / draws));
  assert.ok(missed / draws <= atMost(0.1, draws), String(missed / draws));
});

test("A run with a failed other side still counts", () => {
  const make = roundsOf({ a: 0.3 }, 9);
  const runs = Array.from({ length: 8 }, (_, index) =>
    make({ round: index + 1, open: ["a"], kept: [] }),
  ).flat();
  const passed = runs.map((run) => ({ ...run, passed: true }));
  const question = jointQuestion("candidate", 50, { count: 1, affordable: null });
  const all = samplesOf("a", passed);
  const failed = all.map((sample) => ({ ...sample, passed: sample.round % 4 !== 0 || sample.side === 1 }));
  const dropped = failed.filter((sample) => sample.round % 4 !== 0);
  const widthOf = (samples: typeof all) => {
    const share = judge(samples, question).savingShare;
    assert.ok(share !== null);
    return share.high - share.low;
  };
  assert.ok(widthOf(failed) < widthOf(dropped) * 1.05, `${widthOf(failed)} ${widthOf(dropped)}`);
});

test("No saving is reported for a rule while there are too few runs for all rules, and a figure with bounds afterwards", () => {
  const ids = ["a", "b", "c", "d", "e", "f", "g", "h"];
  const make = roundsOf(Object.fromEntries(ids.map((id) => [id, 0])), 5);
  const question = jointQuestion("candidate", 50, { count: ids.length, affordable: null });
  const runs: JointRun[] = [];
  for (const round of [1, 2, 3, 4]) {
    runs.push(...make({ round, open: ids, kept: [] }));
    for (const id of ids) {
      const { savingShare, saving, reason } = judge(samplesOf(id, runs), question);
      if (round < 3) assert.deepEqual([savingShare, saving], [null, null], `${id} after ${round}`);
      else
        assert.ok(
          savingShare !== null && savingShare.low > -2 && savingShare.value < 0.9,
          `${id}: ${reason.text}`,
        );
      if (round === 1) assert.match(reason.text, /too few runs for the rules/u);
    }
  }
});

test("A rule that breaks every run is evicted within four rounds, without any other rule", async () => {
  const ids = ["breaks", "a", "b", "c", "d", "e", "f", "g"];
  for (let seed = 1; seed <= 20; seed += 1) {
    const make = roundsOf(Object.fromEntries(ids.map((id) => [id, 0])), seed, 0.1);
    const question = jointQuestion("candidate", 50, { count: ids.length, affordable: null });
    const settled: JointProgress[] = [];
    await runJointExperiment(
      {
        subjects: ids.map((id) => ({ id, question: { ...question, maxRounds: 6 }, pooled: [] })),
        tokenCap: null,
        expectedTokens: null,
      },
      {
        round: (plan) => {
          const runs = make(plan).map((run) => ({ ...run, passed: !run.rules.includes("breaks") }));
          return Promise.resolve({ kind: "made", runs });
        },
        onProgress: () => undefined,
        onSettled: (progress) => {
          settled.push(progress);
          return Promise.resolve({ isKept: false });
        },
      },
      never,
    );
    const broken = settled.filter(({ verdict }) => verdict.kind === "regression");
    assert.deepEqual(
      broken.map(({ id }) => id),
      ["breaks"],
      `seed ${seed}`,
    );
    assert.ok((broken[0]?.rounds ?? 9) <= 4, `seed ${seed}: after ${broken[0]?.rounds} rounds`);
    for (const { id, verdict } of settled.filter(({ id: each }) => each !== "breaks"))
      for (const { passed, runs } of verdict.passed) assert.equal(passed, runs, `${id}, seed ${seed}`);
  }
});
