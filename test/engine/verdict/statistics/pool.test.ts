import { test } from "node:test";
import assert from "node:assert/strict";
import fc from "fast-check";
import { seededRandom } from "../../support/seeded-random.ts";
import { judge } from "../../../../src/engine/verdict/judge.ts";
import {
  countRounds,
  evidenceFor,
  numberRounds,
  plannedRoundsOf,
  poolEvidence,
  sameProgram,
  type Evidence,
} from "../../../../src/engine/verdict/statistics/pool.ts";
import { makeRounds, question, steadyRounds } from "../support/samples.ts";

const evidence = (more: Partial<Evidence>): Evidence => ({
  id: "one",
  ruleId: "rule",
  suiteHash: "suite",
  model: "model",
  driver: "claude",
  at: 1,
  samples: steadyRounds(2, 2, [10, 9]),
  ...more,
});
const key = { ruleId: "rule", suiteHash: "suite", model: "model", driver: "claude" };

test("Rounds of all experiments are numbered through, oldest first", () => {
  const samples = poolEvidence(
    [
      evidence({ id: "late", at: 9, samples: steadyRounds(2, 1, [30, 9]) }),
      evidence({
        id: "early",
        at: 2,
        samples: steadyRounds(2, 3, [20, 9]).map((s) => ({ ...s, round: s.round * 5 })),
      }),
    ],
    key,
  );
  assert.deepEqual([...new Set(samples.map(({ round }) => round))], [1, 2, 3, 4]);
  assert.deepEqual(
    samples
      .filter(({ side }) => side === 0)
      .map(({ tokens, round }) => [round, tokens])
      .at(-1),
    [4, 30],
  );
});

test("Only measurements made the same way are pooled, and an experiment counts once", () => {
  const others = [{ ruleId: "other" }, { suiteHash: "other" }, { model: "other" }, { driver: "replay" }];
  const all = [
    evidence({}),
    evidence({ at: 5, samples: steadyRounds(2, 4, [10, 9]) }),
    ...others.map((other, index) => evidence({ ...other, id: `other-${index}` })),
  ];
  assert.equal(countRounds(poolEvidence(all, key)), 4);
  assert.deepEqual(poolEvidence([], key), []);
});

test("Pooled evidence equals one experiment with all of its rounds", () => {
  const all = makeRounds({ random: seededRandom(4), tasks: 4, rounds: 9, saves: 0.15 });
  const part = (from: number, to: number) =>
    numberRounds(
      all.filter(({ round }) => round >= from && round <= to),
      0,
    );
  const pooled = poolEvidence(
    [
      evidence({ id: "c", at: 3, samples: part(7, 9) }),
      evidence({ id: "a", at: 1, samples: part(1, 2) }),
      evidence({ id: "b", at: 2, samples: part(3, 6) }),
    ],
    key,
  );
  assert.deepEqual(judge(pooled, question), judge(all, question));
});

test("A repeated question keeps its first plan; audits have a plan of their own", () => {
  const candidate = { kind: "candidate", planned: 10 } as const;
  assert.equal(plannedRoundsOf([], candidate), 10);
  const first = evidence({ id: "first", at: 1, kind: "candidate", plannedRounds: 42 });
  const later = evidence({ id: "later", at: 2, kind: "candidate", plannedRounds: 10 });
  assert.equal(plannedRoundsOf([later, first], candidate), 42);
  assert.equal(plannedRoundsOf([later, first], { kind: "re-audit", planned: 36 }), 36);
});

const day = 24 * 60 * 60_000;

test("Evidence fades with time, and no longer counts after half a year", () => {
  const now = 1000 * day;
  const ages = [0, 90, 179, 181, 365].map((age) => evidence({ id: `age ${age}`, at: now - age * day }));
  const pooled = poolEvidence(ages, key, { now });
  const counts = new Map(pooled.map(({ measured }) => [measured?.id, measured?.counts.toFixed(2)]));
  assert.deepEqual(
    [...counts],
    [
      ["age 179", "0.25"],
      ["age 90", "0.50"],
      ["age 0", "1.00"],
    ],
  );
});

test("A jumping clock makes no evidence newer than later evidence, and none from the future counts more", () => {
  const now = 1000 * day;
  const ahead = evidence({ id: "ahead", at: now + 5000 * day, sequence: 1 });
  const after = evidence({ id: "after", at: now - 200 * day, sequence: 2 });
  assert.deepEqual(poolEvidence([ahead, after], key, { now }), []);
  const [only] = poolEvidence([ahead], key, { now });
  assert.equal(only?.measured?.counts, 1);
  const [oldest] = evidenceFor([after, ahead], key);
  assert.equal(oldest?.id, "ahead", "in the order in which they were recorded");
});

test("Evidence beside other rules counts only if their effects are estimated", () => {
  const beside = (rules: readonly string[] | undefined, more: Partial<Evidence> = {}) =>
    evidence({ beside: rules, ...more });
  const counts = (one: Evidence, now: readonly string[] | undefined, dealt: readonly string[] = []) =>
    evidenceFor([one], { ...key, beside: now }, { dealt }).length === 1;
  assert.ok(counts(beside(["b", "a"]), ["a", "b"]));
  assert.ok(!counts(beside(["a"]), ["a", "b"]));
  assert.ok(!counts(beside(["a", "b"]), []));
  assert.ok(counts(beside(["a"]), ["a", "b"], ["b"]));
  const samples = steadyRounds(2, 2, [10, 9]).map((sample) => ({ ...sample, together: ["b"] }));
  assert.ok(counts(beside([], { samples }), ["b"]));
  assert.ok(!counts(beside(undefined), []), "unknown is not the same as none");
  assert.ok(counts(beside(undefined), undefined));
});

test("A known version of the program is never pooled with another, or with an unknown one", () => {
  const [old, known, other] = [undefined, "2.1 sonnet", "2.2 sonnet"].map((program, index) =>
    evidence({ id: String(index), program }),
  );
  const all = [old, known, other].flatMap((one) => one ?? []);
  const pooled = poolEvidence(all, key);
  const idsWith = (program: string | undefined) => [
    ...new Set(
      sameProgram(pooled, [
        { taskId: "t", weight: 1, side: 0, round: 1, tokens: 1, passed: true, program },
      ]).map(({ measured }) => measured?.id),
    ),
  ];
  assert.deepEqual(
    [idsWith(undefined), idsWith("2.1 sonnet"), idsWith("2.2 sonnet"), idsWith("2.3 sonnet")],
    [["0"], ["1"], ["2"], []],
  );
});

test("The order of the evidence does not change the pooled result", () => {
  const one = fc.record({
    id: fc.stringMatching(/^[a-f]$/u),
    at: fc.integer({ min: 0, max: 400 * day }),
    sequence: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
    beside: fc.option(fc.subarray(["x", "y"]), { nil: undefined }),
    kind: fc.constantFrom("candidate", "re-audit", undefined),
  });
  fc.assert(
    fc.property(
      fc.uniqueArray(one, { maxLength: 6, selector: ({ id }) => id }),
      fc.integer(),
      (made, turn) => {
        const all = made.map(evidence);
        const at = all.length === 0 ? 0 : Math.abs(turn) % all.length;
        const turned = [...all.slice(at), ...all.slice(0, at)].toReversed();
        const about = { ...key, beside: ["x"] };
        const present = { now: 400 * day };
        assert.deepEqual(poolEvidence(turned, about, present), poolEvidence(all, about, present));
      },
    ),
  );
});
