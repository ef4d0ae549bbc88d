import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { judge } from "../../../src/engine/verdict/judge.ts";
import { retain } from "../../../src/engine/verdict/retention.ts";
import { poolEvidence, type Evidence } from "../../../src/engine/verdict/statistics/pool.ts";
import type { Question, RunSample } from "../../../src/engine/verdict/verdict.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { makeRounds, question as usual, steadyRounds } from "./support/samples.ts";

const key = { ruleId: "rule", suiteHash: "suite", model: "model", driver: "claude" };
const audit: Question = { ...usual, kind: "re-audit", bar: 50, plannedRounds: 36, maxRounds: 60 };
const candidate: Question = { ...usual, kind: "candidate", bar: 50 };

interface Made {
  readonly kind: "candidate" | "re-audit";
  readonly samples: readonly RunSample[];
}

/** Judges the last measurement with all earlier ones. */
function judgeLast(made: readonly Made[]) {
  const evidence = made.map(({ kind, samples }, index): Evidence => ({
    ...key,
    id: `m${index}`,
    at: index,
    kind,
    samples,
  }));
  const pooled = poolEvidence(evidence.slice(0, -1), key);
  const after = new Set(pooled.map(({ round }) => round)).size;
  const own = made.at(-1)?.samples ?? [];
  return judge([...pooled, ...own.map((sample) => ({ ...sample, round: sample.round + after }))], audit);
}

const failing = (samples: readonly RunSample[], fails: (sample: RunSample) => boolean) =>
  samples.map((sample) => (fails(sample) ? { ...sample, passed: false } : sample));

test("An active rule that begins to cost 46 % is evicted after an audit, and the figures are those of the audit", () => {
  const good = {
    kind: "candidate",
    samples: makeRounds({ random: seededRandom(3), tasks: 4, rounds: 10, saves: 0.25 }),
  } as const;
  const bad = {
    kind: "re-audit",
    samples: makeRounds({ random: seededRandom(4), tasks: 4, rounds: 6, saves: -0.46, astray: 0 }),
  } as const;
  const verdict = judgeLast([good, bad]);
  assert.equal(verdict.kind, "costs");
  assert.equal(verdict.stop, "decided");
  assert.equal(retain(verdict, 0).action, "evict");
  assert.equal(verdict.rounds, 6);
  assert.ok((verdict.savingShare?.high ?? 1) < 0);
  const means = verdict.tasks.flatMap(({ tokens }) => (tokens === null ? [] : [tokens[0] - tokens[1]]));
  assert.ok(means.reduce((sum, each) => sum + each, 0) < 0, "tokens and saving of the same runs");
});

test("A rule that turns harmful after good audits is mostly evicted within three more", () => {
  const made = (kind: Made["kind"], seed: number, rounds: number, saves: number): Made => ({
    kind,
    samples: makeRounds({ random: seededRandom(seed), tasks: 4, rounds, saves }),
  });
  let found = 0;
  for (let seed = 100; seed < 2000; seed += 100) {
    const audits = [1, 2, 3, 4].map((each) => made("re-audit", seed + each, 2, 0.2));
    const good = [made("candidate", seed, 8, 0.2), ...audits];
    const turned = [5, 6, 7].map((each) => made("re-audit", seed + each, 6, -0.4));
    assert.equal(retain(judgeLast(good), 0).action, "keep");
    found += Number(retain(judgeLast([...good, ...turned]), 0).action === "evict");
  }
  assert.ok(found >= 15, `${found} of 19`);
});

test("An audit of a rule that still saves ends after a round, with the evidence of its admission", () => {
  const made = [10, 1].map((rounds, index) => ({
    kind: index === 0 ? ("candidate" as const) : ("re-audit" as const),
    samples: makeRounds({ random: seededRandom(7), tasks: 5, rounds, saves: 0.3, astray: 0 }),
  }));
  const verdict = judgeLast(made);
  assert.deepEqual([verdict.kind, verdict.stop, verdict.rounds], ["saves", "decided", 11]);
});

test("Runs that all fail with a rule, and never without, are a regression after the first round", () => {
  const broken = failing(steadyRounds(24, 1, [30_000, 20_000]), ({ side }) => side === 1);
  for (const asked of [candidate, audit]) {
    const verdict = judge(broken, asked);
    assert.deepEqual([verdict.kind, verdict.stop], ["regression", "decided"]);
    assert.match(
      verdict.reason.text,
      /^Fails tasks that pass without it: 0 of 24 runs passed, where 24 of 24/u,
    );
    assert.equal(retain(verdict, 0).action, "evict");
  }
  const admitted = { kind: "candidate", samples: steadyRounds(4, 10, [30_000, 20_000]) } as const;
  const now = {
    kind: "re-audit",
    samples: failing(steadyRounds(4, 2, [30_000, 20_000]), ({ side }) => side === 1),
  } as const;
  assert.equal(judgeLast([admitted, now]).kind, "regression", "whatever passed before");
});

test("If all runs fail on both sides, or none differ, nothing is decided against the rule", () => {
  const failed = failing(steadyRounds(4, 6, [30_000, 20_000]), () => true);
  const same = steadyRounds(4, 6, [30_000, 30_000]);
  for (const samples of [failed, same]) {
    const verdict = judgeLast([
      { kind: "candidate", samples: steadyRounds(4, 6, [30_000, 29_000]) },
      { kind: "re-audit", samples },
    ]);
    if (samples === failed) assert.equal(retain(verdict, 0).action, "keep");
    assert.notEqual(verdict.kind, "regression");
  }
});

test("A round in which everything fails is not evidence against the rule", () => {
  const made = [
    {
      kind: "candidate" as const,
      samples: makeRounds({ random: seededRandom(1), tasks: 4, rounds: 8, saves: 0.2 }),
    },
    {
      kind: "re-audit" as const,
      samples: failing(steadyRounds(4, 3, [30_000, 24_000]), ({ round }) => round === 2),
    },
  ];
  assert.equal(retain(judgeLast(made), 0).action, "keep");
});

test("The order of samples does not change the verdict of an audit", () => {
  const evidence = [0, 1, 2].map((index): Evidence => ({
    ...key,
    id: `m${index}`,
    at: index,
    kind: index === 0 ? "candidate" : "re-audit",
    samples: makeRounds({ random: seededRandom(index + 1), tasks: 3, rounds: 3, saves: 0.1 - index * 0.2 }),
  }));
  const all = poolEvidence(evidence, key);
  const verdict = judge(all, audit);
  fc.assert(
    fc.property(fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }), (shuffled) => {
      assert.deepEqual(judge(shuffled, audit), verdict);
    }),
    { numRuns: 20 },
  );
});
