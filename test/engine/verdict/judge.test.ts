import { test } from "node:test";
import assert from "node:assert/strict";
import { judge } from "../../../src/engine/verdict/judge.ts";
import type { RunSample } from "../../../src/engine/verdict/verdict.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { makeRounds, question, steadyRounds } from "./support/samples.ts";

const failing = (samples: readonly RunSample[], fails: (sample: RunSample) => boolean) =>
  samples.map((sample) => (fails(sample) ? { ...sample, passed: false } : sample));

test("A change that saves a fifth and passes all runs saves", () => {
  const verdict = judge(steadyRounds(5, 6, [50_000, 40_000]), question);
  assert.equal(verdict.kind, "saves");
  assert.equal(verdict.stop, "decided");
  assert.ok(Math.abs((verdict.savingShare?.value ?? 0) - 0.2) < 1e-9);
  assert.ok(Math.abs((verdict.saving?.value ?? 0) - 10_000) < 1e-4);
  assert.match(
    verdict.reason.text,
    /^Saves 10,000 tokens a run, 20% \(.*, 90% confidence\)\. Per completed task, it saves 20% \(.*\)\. It speaks of these 5 tasks only\.$/u,
  );
});

test("A change that takes more tokens costs", () => {
  const verdict = judge(steadyRounds(5, 6, [40_000, 50_000]), question);
  assert.equal(verdict.kind, "costs");
  assert.ok(verdict.belowBar);
  assert.match(verdict.reason.text, /^Takes more: it costs 10,000 tokens /u);
  assert.doesNotMatch(verdict.reason.text, /saves|-\d/u);
});

test("A saving below the bar is shown, and is futile", () => {
  const verdict = judge(steadyRounds(5, 6, [50_000, 49_500]), { ...question, bar: 2000 });
  assert.equal(verdict.kind, "undecided");
  assert.equal(verdict.stop, "futile");
  assert.ok(verdict.belowBar);
});

test("Cheaper runs with too few passes are not as good, and the experiment continues until that is shown", () => {
  const samples = failing(
    steadyRounds(5, 6, [50_000, 45_000]),
    ({ side, round, taskId }) => side === 1 && (round + Number(taskId.slice(5))) % 7 === 0,
  );
  const verdict = judge(samples, question);
  assert.equal(verdict.kind, "cheaper-not-as-good");
  assert.equal(verdict.stop, null);
  assert.match(
    verdict.reason.text,
    /Failures may use that up: per completed task, it saves −.*Passes differ by −\d+ points/u,
  );
  const capped = judge(samples, { ...question, maxRounds: 6 });
  assert.deepEqual([capped.kind, capped.stop], ["cheaper-not-as-good", "cap"]);
});

test("Failures that cost less than the saving are worth it, and the receipt has the saving per completed task", () => {
  const samples = failing(
    steadyRounds(5, 10, [50_000, 25_000]),
    ({ side, round, taskId }) => side === 1 && (round + Number(taskId.slice(5))) % 7 === 0,
  );
  const { kind, savingShare, perCompleted, passed } = judge(samples, question);
  assert.equal(kind, "saves");
  const rate = (side: 0 | 1) => passed[side].passed / passed[side].runs;
  const expected = 1 - ((1 - (savingShare?.value ?? 0)) * rate(0)) / rate(1);
  assert.ok(Math.abs((perCompleted?.value ?? 0) - expected) < 1e-9);
  assert.ok((perCompleted?.low ?? 1) < (savingShare?.low ?? 0));
});

test("A task that passed before and always fails now is a regression, however large the saving", () => {
  const breaks = (rounds: number) =>
    failing(
      steadyRounds(5, rounds, [50_000, 25_000]),
      ({ side, taskId }) => side === 1 && taskId === "task-3",
    );
  // Too early to decide, but never a saving.
  for (let rounds = 1; rounds < 5; rounds += 1)
    assert.notEqual(judge(breaks(rounds), question).kind, "saves");
  const verdict = judge(breaks(6), question);
  assert.equal(verdict.kind, "regression");
  assert.equal(verdict.stop, "decided");
  assert.deepEqual(
    verdict.tasks.filter(({ regressed }) => regressed).map(({ taskId }) => taskId),
    ["task-3"],
  );
});

test("Runs that died before they began break no task", () => {
  const samples = failing(
    steadyRounds(5, 8, [50_000, 50_000]),
    ({ side, taskId }) => side === 1 && taskId === "task-3",
  ).map((sample) => (sample.passed ? sample : { ...sample, tokens: 800 }));
  assert.notEqual(judge(samples, question).kind, "regression");
});

test("With one task finished on both sides, no figure for tokens is given", () => {
  const one = judge(steadyRounds(1, 12, [50_000, 10_000]), question);
  assert.equal(one.saving, null);
  assert.equal(one.savingShare, null);
  assert.equal(one.kind, "undecided");
  assert.match(one.reason.text, /only one task was finished on both sides/u);
  const none = judge(
    failing(steadyRounds(4, 3, [50_000, 10_000]), ({ side }) => side === 0),
    question,
  );
  assert.equal(none.kind, "undecided");
  assert.match(none.reason.text, /no task was finished on both sides/u);
});

test("No runs, only zeros, and only failures are undecided", () => {
  for (const samples of [
    [],
    steadyRounds(4, 4, [0, 0]),
    failing(steadyRounds(4, 4, [9, 7]), () => true),
    steadyRounds(4, 4, [Number.NaN, -5]),
  ]) {
    const verdict = judge(samples, question);
    assert.equal(verdict.kind, "undecided");
    assert.equal(verdict.moreRounds, null);
  }
});

test("A change from zero tokens to some costs, and a change from some to zero saves", () => {
  assert.equal(judge(steadyRounds(4, 6, [1000, 0]), question).kind, "saves");
  // Zero tokens have no percentage, but the cost is clear once there is something to compare.
  const dearer = judge(steadyRounds(4, 6, [1, 1000]), question);
  assert.equal(dearer.kind, "costs");
});

test("It stops at the last round, and at the cap", () => {
  const samples = makeRounds({ random: seededRandom(8), tasks: 4, rounds: 4, saves: 0.12 });
  assert.equal(judge(samples, question).stop, null);
  assert.equal(judge(samples, { ...question, maxRounds: 4 }).stop, "cap");
  assert.equal(judge(samples, { ...question, tokenCap: 1_000_000 }).stop, "cap");
});

test("A candidate with a cost is given up at half of its plan, and not before", () => {
  const samples = makeRounds({ random: seededRandom(6), tasks: 5, rounds: 5, saves: -0.05 });
  const asked = { ...question, kind: "candidate", bar: 54, maxRounds: 10, plannedRounds: 10 } as const;
  const verdict = judge(samples, asked);
  assert.equal(verdict.kind, "undecided");
  assert.equal(verdict.stop, "futile");
  const before = samples.filter(({ round }) => round < 5);
  assert.equal(judge(before, asked).stop, null);
  // It takes longer to rule out a smaller saving.
  assert.equal(judge(samples, { ...asked, worth: 0.01 }).stop, null);
});

test("It forecasts how many more rounds a decision needs, correctly if the trend continues", () => {
  const round = makeRounds({ random: seededRandom(12), tasks: 6, rounds: 3, saves: 0.15, astray: 0 });
  const { moreRounds, stop, rounds } = judge(round, question);
  assert.equal(stop, null);
  assert.ok(moreRounds !== null && moreRounds > 0);
  // Repeating the same rounds continues the trend. Each time another task has them: equal differences between tasks
  // would look like effects of the tasks.
  const turned = (task: string, by: number) => `task-${(Number(task.slice("task-".length)) + by) % 6}`;
  const goOn = (total: number) =>
    Array.from({ length: total }, (_, index) =>
      round
        .filter(({ round: own }) => own === (index % 3) + 1)
        .map((sample) => ({
          ...sample,
          round: index + 1,
          taskId: turned(sample.taskId, Math.floor(index / 3)),
        })),
    ).flat();
  assert.equal(judge(goOn(rounds + moreRounds + 3), question).stop, "decided");
  assert.equal(judge(goOn(rounds + Math.max(0, moreRounds - 3)), question).kind, "undecided");
});

test("Weights decide which tasks count", () => {
  const samples = [
    ...steadyRounds(2, 8, [50_000, 30_000]),
    ...steadyRounds(2, 8, [50_000, 60_000]).map((sample) => ({
      ...sample,
      taskId: `other-${sample.taskId}`,
    })),
  ];
  const weighed = (weight: number) =>
    judge(
      samples.map((sample) => (sample.taskId.startsWith("other") ? { ...sample, weight } : sample)),
      question,
    ).saving?.value ?? 0;
  assert.ok(weighed(0.01) > 15_000);
  assert.ok(weighed(100) < -8000);
});

test("After a round of runs that differ wildly, it is too early for a forecast", () => {
  const tokens = [10_000, 34_000, 50_000, 21_000, 14_000, 52_000, 31_000, 20_000];
  const round = (number: number) =>
    tokens.map((each, index): RunSample => {
      const side = index % 2 === 0 ? 0 : 1;
      return { taskId: `task-${index >> 1}`, weight: 1, side, round: number, tokens: each, passed: true };
    });
  for (const kind of ["candidate", "re-audit", "comparison"] as const) {
    const asked = { ...question, kind };
    const { reason } = judge(round(1), asked);
    assert.match(reason.text, /It is too early to say how many more rounds would decide it\.$/u);
    const capped = judge(round(1), { ...asked, maxRounds: 1 });
    assert.match(capped.reason.text, /too early to say .*; what was planned is used up\.$/u);
  }
});

test("Whatever the runs, there is no forecast while both a saving and a cost worth having are possible", () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const random = seededRandom(seed);
    const verdict = judge(makeRounds({ random, tasks: 3, rounds: 1 + (seed % 8), spread: 0.6 }), question);
    const { savingShare, reason, kind } = verdict;
    if (kind !== "undecided" || savingShare === null || verdict.stop === "futile") continue;
    const isOpen = savingShare.low < -0.1 && savingShare.high > 0.1;
    if (isOpen) assert.doesNotMatch(reason.text, /No number of rounds/u);
    if (/No number of rounds/u.test(reason.text)) assert.ok(!isOpen);
  }
});
