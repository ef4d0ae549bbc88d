import { median } from "../../../../src/engine/base/numbers.ts";
import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { adjustOutcomes } from "../../../../src/engine/rules/trial/adjust.ts";
import { analyseTrial, type TriedSession } from "../../../../src/engine/rules/trial/analyse.ts";
import { Ridge } from "../../../../src/engine/verdict/statistics/robust-fit.ts";
import { seededRandom } from "../../support/seeded-random.ts";

const question = { ruleIds: ["one", "two"], planned: 200, alpha: 0.05 };

interface World {
  /** Saved of the logarithm of a prompt's tokens. */
  readonly saves?: Readonly<Record<string, number>>;
  readonly sessions?: number;
  readonly undoneWith?: Readonly<Record<string, number>>;
  /** Prompts, of 12 in a session, that correct the agent. */
  readonly correctedWith?: Readonly<Record<string, number>>;
  readonly astray?: number;
}

/** Sessions that differ little, but much between their two projects. */
function made(
  { saves = {}, sessions = 100, undoneWith = {}, correctedWith = {}, astray = 0 }: World,
  seed = 1,
): TriedSession[] {
  const random = seededRandom(seed);
  return Array.from({ length: sessions }, (_, index): TriedSession => {
    const given = new Set(question.ruleIds.filter(() => random.next() < 0.5));
    const project = random.below(2);
    const saved = [...given].reduce((sum, id) => sum + (saves[id] ?? 0), 0);
    const stray = index % 20 === 7 ? astray : 0;
    const meanLog = 10 + 2 * project + 0.1 * random.normal() + stray - saved;
    return {
      given,
      chances: new Map(question.ruleIds.map((id) => [id, 0.5])),
      withheld: new Set(question.ruleIds.filter((id) => !given.has(id))),
      known: { place: `p${project}`, branchKind: "trunk", promptChars: 100, hour: 9 },
      completed: 10,
      meanLog,
      logTotal: meanLog + Math.log(10),
      squares: 0.9,
      undone: [...given].reduce((sum, id) => sum + (undoneWith[id] ?? 0), 1),
      heard: 12,
      corrections: [...given].reduce((sum, id) => sum + (correctedWith[id] ?? 0), 1),
    };
  });
}

test("A saving rule is distinguished from a costly one, though sessions of a project take ten times as much", async () => {
  const [one, two] = await analyseTrial(made({ saves: { one: 0.3, two: -0.3 } }), question);
  assert.deepEqual([one?.verdict, two?.verdict], ["saves", "costs"]);
  for (const [found, truth] of [
    [one, 1 - Math.exp(-0.3)],
    [two, 1 - Math.exp(0.3)],
  ] as const) {
    assert.ok(found?.saving, "an interval");
    assert.ok(found.saving.low <= truth && truth <= found.saving.high, JSON.stringify(found.saving));
    assert.ok(found.saving.low * found.saving.high > 0, "it excludes none");
    const [withIt, without] = found.sessions;
    assert.equal((withIt + without) % 10, 0, "decided at a look");
    assert.ok(withIt + without < 100, "before the last one");
  }
});

test("A decision stays, with the figures of its look", async () => {
  const sessions = made({ saves: { one: 0.3 } });
  const [early] = await analyseTrial(sessions, question);
  assert.ok(early?.verdict === "saves");
  const decidedBy = early.sessions[0] + early.sessions[1];
  const [later] = await analyseTrial(
    [...sessions, ...made({ saves: { one: -2 }, sessions: 50 }, 2)],
    question,
  );
  assert.deepEqual(later, early);
  const [before] = await analyseTrial(sessions.slice(0, decidedBy - 1), question);
  assert.equal(before?.verdict, "undecided");
});

test("Rules that do nothing are undecided, and their intervals hold nothing", async () => {
  for (const found of await analyseTrial(made({}), question)) {
    assert.deepEqual([found.verdict, found.reason], ["undecided", "not_shown"]);
    assert.ok(found.saving !== null && found.saving.low < 0 && found.saving.high > 0);
    assert.ok(Math.abs(found.saving.value) < 0.1);
  }
});

test("Few sessions show nothing at all", async () => {
  for (const sessions of [0, 1, 19])
    for (const found of await analyseTrial(made({ sessions, saves: { one: 3 } }), question))
      assert.deepEqual([found.reason, found.saving, found.verdict], ["few_sessions", null, "undecided"]);
});

test("Outlier sessions do not hide a saving", async () => {
  const [one] = await analyseTrial(made({ saves: { one: 0.3 }, astray: 8 }), question);
  assert.equal(one?.verdict, "saves");
});

test("A rule with more interrupted prompts is not reported as a saving", async () => {
  const [one] = await analyseTrial(made({ saves: { one: 0.3 }, undoneWith: { one: 8 } }), question);
  assert.deepEqual([one?.verdict, one?.reason], ["undecided", "more_undone"]);
  assert.ok((one?.completed?.high ?? 0) < 0);
});

test("A rule with more corrections is not reported as a saving; a costly one still is", async () => {
  const correctedWith = { one: 4, two: 4 };
  const [one, two] = await analyseTrial(made({ saves: { one: 0.3, two: -0.3 }, correctedWith }), question);
  assert.deepEqual([one?.verdict, one?.reason], ["undecided", "more_corrections"]);
  assert.ok((one?.uncorrected?.high ?? 0) < 0 && (one?.completed?.low ?? -1) > -0.2);
  assert.deepEqual([two?.verdict, two?.reason], ["costs", null]);
});

test("If no hook reported prompts, corrections are unknown and do not prevent a saving", async () => {
  const unheard = made({ saves: { one: 0.3 } }).map((each) => ({ ...each, heard: 0, corrections: 0 }));
  const [one] = await analyseTrial(unheard, question);
  assert.deepEqual([one?.verdict, one?.uncorrected], ["saves", null]);
});

test("Sessions of which no prompt was completed count for how prompts end, and for nothing else", async () => {
  const sessions = made({ saves: { one: 0.3 } });
  const lost = sessions.flatMap((each) => {
    const none = { ...each, completed: 0, meanLog: 0, squares: 0, undone: 20 };
    return each.given.has("one") ? [none, each] : [each];
  });
  const [fine] = await analyseTrial(sessions, question);
  const [one] = await analyseTrial(lost, question);
  assert.equal(fine?.verdict, "saves");
  assert.deepEqual([one?.verdict, one?.reason], ["undecided", "more_undone"]);
  assert.equal((one?.sessions[0] ?? 0) + (one?.sessions[1] ?? 0), 100);
});

test("With every draw inverted, every saving is a cost of the same size", async () => {
  const sessions = made({ saves: { one: 0.05 } });
  const turned = sessions.map((each) => ({ ...each, given: each.withheld, withheld: each.given }));
  const [found] = await analyseTrial(sessions, question);
  const [mirrored] = await analyseTrial(turned, question);
  assert.ok(found?.saving && mirrored?.saving);
  const log = (share: number) => Math.log(1 - share);
  assert.ok(Math.abs(log(found.saving.value) + log(mirrored.saving.value)) < 1e-6);
  assert.ok(Math.abs(log(found.saving.low) + log(mirrored.saving.high)) < 1e-6);
});

test("The adjustment does not use the draw, and removes what was known before it", () => {
  const sessions = made({});
  const turned = sessions.map((each) => ({ ...each, given: each.withheld, withheld: each.given }));
  const { residuals } = adjustOutcomes(sessions);
  assert.deepEqual(adjustOutcomes(turned).residuals, residuals);
  const mean = (place: string) => {
    const own = residuals.filter((_, index) => sessions[index]?.known.place === place);
    return own.reduce((sum, residual) => sum + residual, 0) / own.length;
  };
  assert.ok(Math.abs(mean("p0") - mean("p1")) < 0.15, "of 2 before");
});

test("A ridge regression solves what can be solved by hand", () => {
  const rows = [
    [1, 0],
    [1, 1],
    [1, 2],
  ];
  const exact = new Ridge({ rows, weights: [1, 2, 3], penalties: [0, 0] });
  const [constant = 0, slope = 0] = exact.fit([1, 3, 5]);
  assert.ok(Math.abs(constant - 1) < 1e-6 && Math.abs(slope - 2) < 1e-6);
  assert.ok(exact.residuals([1, 3, 5]).every((left) => Math.abs(left) < 1e-6));
  const [shrunk = 0] = new Ridge({ rows: [[1], [1]], weights: [1, 1], penalties: [2] }).fit([4, 4]);
  assert.ok(Math.abs(shrunk - 2) < 1e-6, "half of the data, half of the penalty");
});

test("A median is the middle of the sorted values", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }), (values) => {
      const sorted = values.toSorted((one, other) => one - other);
      const [low = 0, high = 0] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
      const middle = sorted.length % 2 === 1 ? low : (low + high) / 2;
      assert.equal(median(values) + 0, middle + 0);
    }),
  );
  assert.equal(median([]), 0);
});
