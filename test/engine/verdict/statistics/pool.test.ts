import { test } from "node:test";
import assert from "node:assert/strict";
import { seededRandom } from "../../support/seeded-random.ts";
import { judge } from "../../../../src/engine/verdict/judge.ts";
import {
  countRounds,
  numberRounds,
  plannedRoundsOf,
  poolEvidence,
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

test("Rounds of all experiments are numbered through, the oldest first", () => {
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

test("Only what was measured the same way is added up, and an experiment counts once", () => {
  const others = [{ ruleId: "other" }, { suiteHash: "other" }, { model: "other" }, { driver: "replay" }];
  const all = [
    evidence({}),
    evidence({ at: 5, samples: steadyRounds(2, 4, [10, 9]) }),
    ...others.map((other, index) => evidence({ ...other, id: `other-${index}` })),
  ];
  assert.equal(countRounds(poolEvidence(all, key)), 4);
  assert.deepEqual(poolEvidence([], key), []);
});

test("Pooled evidence says what one experiment with all of its rounds would have said", () => {
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

test("A question that was asked before keeps its first plan; re-audits are planned after what admitted their rule", () => {
  const candidate = { kind: "candidate", planned: 10 } as const;
  assert.equal(plannedRoundsOf([], candidate), 10);
  const first = evidence({ id: "first", at: 1, kind: "candidate", plannedRounds: 42 });
  const later = evidence({ id: "later", at: 2, kind: "candidate", plannedRounds: 10 });
  assert.equal(plannedRoundsOf([later, first], candidate), 42);
  const audit = { kind: "re-audit", planned: 36 } as const;
  assert.equal(plannedRoundsOf([], audit), 36);
  // Two rounds each were made before.
  assert.equal(plannedRoundsOf([later, first], audit), 40);
  const audits = [3, 4, 5].map((at) =>
    evidence({ id: `audit ${at}`, at, kind: "re-audit", plannedRounds: 40 }),
  );
  assert.equal(plannedRoundsOf([...audits, later, first], audit), 40, "however many audits there were");
  assert.equal(plannedRoundsOf(audits, audit), 36);
  // Before kinds were stored, nobody knows what was asked: all of it counts as before.
  const old = [1, 2].map((at) => evidence({ id: `old ${at}`, at }));
  assert.equal(plannedRoundsOf([...old, ...audits], audit), 40);
});
