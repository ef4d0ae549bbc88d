import { test } from "node:test";
import assert from "node:assert/strict";
import fc from "fast-check";
import { seededRandom } from "../../support/seeded-random.ts";
import {
  type Belief,
  chanceOfNothing,
  documentedPrior,
  expectedLeft,
  learnPrior,
  RuleRuns,
} from "../../../../src/engine/verdict/worth/belief.ts";
import {
  isWorthHaving,
  netPerSession,
  valueOfMeasuring,
} from "../../../../src/engine/verdict/worth/net-benefit.ts";
import { makeRounds, steadyRounds } from "../support/samples.ts";

const use = { perWeek: 50, weeks: 20, tokensPerSession: 70_000 };
const shareOf = (belief: Belief) => 1 - expectedLeft(belief);
const beliefs: fc.Arbitrary<Belief> = fc
  .record({
    mean: fc.double({ min: -0.3, max: 0.3, noNaN: true }),
    deviation: fc.double({ min: 0.02, max: 0.12, noNaN: true }),
  })
  .map(({ mean, deviation }) => ({
    mean,
    deviation,
    variances: [deviation ** 2, 0],
    ofRound: [20, 0],
    prior: documentedPrior,
  }));

test("What is believed moves from the prior towards what the runs show, and never beyond", () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.constantFrom(-0.2, 0, 0.1, 0.3),
      fc.integer({ min: 3, max: 12 }),
      (seed, saves, rounds) => {
        const made = { tasks: 4, saves, spread: 0.2, astray: 0 };
        const of = (count: number) =>
          new RuleRuns(makeRounds({ ...made, rounds: count, random: seededRandom(seed) })).belief(
            documentedPrior,
          );
        const [some, more] = [of(rounds), of(4 * rounds)];
        assert.ok(more.deviation < some.deviation);
        assert.ok(some.deviation < Math.hypot(documentedPrior.deviation, 0.04));
        assert.ok(Math.abs(shareOf(more) - saves) < 0.2);
      },
    ),
  );
});

test("Sizes of tasks, their names and the order of samples do not change what is believed", () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const random = seededRandom(seed);
      const samples = makeRounds({ random, tasks: 3, rounds: 4, saves: 0.1, passes: [0.9, 0.9] });
      const changed = random
        .shuffled(samples)
        .map((sample) => ({ ...sample, tokens: sample.tokens * 8, taskId: `x${sample.taskId}` }));
      const [one, other] = [samples, changed].map((all) => new RuleRuns(all).belief(documentedPrior));
      assert.ok(Math.abs((one?.mean ?? 0) - (other?.mean ?? 1)) < 1e-6);
      assert.ok(Math.abs((one?.deviation ?? 0) - (other?.deviation ?? 1)) < 1e-6);
    }),
  );
});

test("Without runs, with one task, failed runs only or no tokens, figures stay finite", () => {
  const failed = makeRounds({ random: seededRandom(1), tasks: 2, rounds: 3, passes: [0, 0] });
  const cases = [
    [],
    steadyRounds(1, 1, [5, 4]),
    failed,
    steadyRounds(4, 4, [0, 0]),
    steadyRounds(4, 4, [9, 0]),
  ];
  for (const samples of cases) {
    const belief = new RuleRuns(samples).belief(documentedPrior);
    for (const figure of [belief.mean, belief.deviation, ...belief.variances, ...belief.ofRound])
      assert.ok(Number.isFinite(figure), JSON.stringify(belief));
    const nothing = chanceOfNothing(0, belief);
    assert.ok(nothing >= 0 && nothing <= 1);
  }
  assert.equal(new RuleRuns([]).belief(documentedPrior).mean, 0);
  assert.deepEqual(learnPrior([]), documentedPrior);
});

test("A user whose rules all do nothing learns a narrower prior, one whose rules all save a higher one", () => {
  const rulesThat = (saves: number) =>
    Array.from(
      { length: 8 },
      (_, seed) =>
        new RuleRuns(
          makeRounds({ random: seededRandom(seed), tasks: 4, rounds: 20, saves, spread: 0.2, astray: 0 }),
        ),
    );
  const [nothing, good] = [learnPrior(rulesThat(0)), learnPrior(rulesThat(0.2))];
  assert.ok(nothing.deviation < documentedPrior.deviation);
  assert.ok(good.mean > 0.08 && Math.abs(nothing.mean) < 0.03);
});

test("Measuring earns more with more sessions and less at a higher price, and nothing without use", () => {
  fc.assert(
    fc.property(beliefs, fc.integer({ min: 1, max: 5_000_000 }), (belief, tokensOfRound) => {
      const rules = [{ belief, rent: 30 }];
      const value = valueOfMeasuring(rules, use, { tokensOfRound });
      assert.ok(value >= 0 && Number.isFinite(value));
      assert.ok(valueOfMeasuring(rules, { ...use, weeks: 40 }, { tokensOfRound }) >= value);
      assert.ok(valueOfMeasuring(rules, use, { tokensOfRound: 2 * tokensOfRound }) <= value);
      assert.ok(valueOfMeasuring([...rules, ...rules], use, { tokensOfRound }) >= value);
      assert.equal(valueOfMeasuring(rules, { ...use, perWeek: 0 }, { tokensOfRound }), 0);
      assert.equal(valueOfMeasuring(rules, use, { tokensOfRound, maxRounds: 0 }), 0);
    }),
  );
});

test("A rule that is worth having is expected to save more than it takes, and hardly does harm", () => {
  fc.assert(
    fc.property(beliefs, fc.integer({ min: 0, max: 5000 }), (belief, rent) => {
      const isWorth = isWorthHaving(belief, 70_000, rent);
      if (isWorth) assert.ok(netPerSession(belief, 70_000, rent) > 0);
      const better = { ...belief, mean: belief.mean + 0.05 };
      assert.ok(!isWorth || isWorthHaving(better, 70_000, rent));
      assert.ok(chanceOfNothing(0, better) <= chanceOfNothing(0, belief) + 1e-9 || belief.mean < 0);
    }),
  );
  const wide = {
    mean: 0.03,
    deviation: 0.12,
    variances: [0.0144, 0],
    ofRound: [20, 0],
    prior: documentedPrior,
  } as const;
  assert.equal(isWorthHaving(wide, 70_000, 0), false);
});
