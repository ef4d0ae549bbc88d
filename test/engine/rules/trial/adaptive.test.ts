import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { believe, chanceOf, isHarmful } from "../../../../src/engine/rules/trial/adaptive.ts";
import { analyseTrial, type TriedSession } from "../../../../src/engine/rules/trial/analyse.ts";
import { seededRandom } from "../../support/seeded-random.ts";

interface World {
  readonly saves?: number;
  readonly sessions?: number;
  readonly chance?: number;
  /** Short prompts that each session with the rule has in addition. */
  readonly more?: number;
  /** Sessions from which on the rule saves the negative. */
  readonly turnsAt?: number;
  /** Log tokens that the level rises over all sessions, while chances rise too. */
  readonly trend?: number;
}

/** Sessions of twelve prompts that draw one rule. */
function made(
  { saves = 0, sessions = 200, chance = 0.5, more = 0, turnsAt = Infinity, trend = 0 }: World,
  seed = 1,
) {
  const random = seededRandom(seed);
  return Array.from({ length: sessions }, (_, index): TriedSession => {
    const own = trend === 0 ? chance : 0.2 + (0.6 * index) / sessions;
    const isGiven = random.next() < own;
    const saved = isGiven ? (index < turnsAt ? saves : -saves) : 0;
    const level = 10 + (trend * index) / sessions + 0.2 * random.normal() - saved;
    const logs = Array.from({ length: 12 }, () => level + 0.5 * random.normal());
    if (isGiven) logs.push(...Array.from({ length: more }, () => level - 2 + 0.5 * random.normal()));
    const meanLog = logs.reduce((sum, log) => sum + log, 0) / logs.length;
    return {
      given: new Set(isGiven ? ["r"] : []),
      withheld: new Set(isGiven ? [] : ["r"]),
      chances: new Map([["r", own]]),
      known: { place: "p", branchKind: "trunk", promptChars: 100, hour: 9 },
      completed: logs.length,
      meanLog,
      squares: logs.reduce((sum, log) => sum + (log - meanLog) ** 2, 0),
      logTotal: Math.log(logs.reduce((sum, log) => sum + Math.exp(log), 0)),
      undone: 0,
      heard: logs.length,
      corrections: 0,
    };
  });
}

const savesOf = (world: World, seed?: number) => believe(made(world, seed), ["r"])[0]?.saves ?? Number.NaN;

test("Nothing is believed of rules without sessions, and every chance has its bounds", () => {
  assert.deepEqual(believe([], ["r"]), [{ ruleId: "r", saves: 0.5, expected: 0 }]);
  assert.deepEqual(believe(made({ sessions: 1 }), ["r"])[0]?.saves, 0.5);
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0.05, max: 0.1, noNaN: true }),
      (saves, holdOut) => {
        const chance = chanceOf({ saves }, holdOut);
        assert.ok(chance >= 0.05 && chance <= 1 - holdOut);
      },
    ),
  );
  assert.ok(isHarmful({ saves: 0.01 }) && !isHarmful({ saves: 0.1 }));
});

test("The more a rule saves, the likelier it is said to", () => {
  const found = [-0.2, -0.1, 0, 0.1, 0.2].map((saves) => savesOf({ saves }, 3));
  assert.deepEqual(
    found,
    found.toSorted((one, other) => one - other),
  );
  assert.ok((found[0] ?? 1) < 0.03 && (found.at(-1) ?? 0) > 0.97, String(found));
});

test("A rule that turns loses its chance, though nearly all sessions had it", () => {
  const before = savesOf({ saves: 0.2, chance: 0.9, sessions: 300 });
  const after = savesOf({ saves: 0.2, chance: 0.9, sessions: 500, turnsAt: 300 });
  assert.ok(before > 0.9 && after < 0.5, `${before} ${after}`);
});

test("Many short questions more are no saving, though each prompt takes less", async () => {
  const sessions = made({ more: 4, sessions: 400 });
  assert.ok((believe(sessions, ["r"])[0]?.saves ?? 1) < 0.5);
  for (const isAdaptive of [false, true]) {
    const [found] = await analyseTrial(sessions, { ruleIds: ["r"], planned: 400, alpha: 0.05, isAdaptive });
    assert.ok((found?.saving?.low ?? 0) > 0, "each prompt takes less");
    assert.notEqual(found?.verdict, "saves");
    assert.ok((found?.prompts?.high ?? 0) < 0, "sessions have more prompts");
  }
});

test("A trend together with rising chances is no effect", async () => {
  for (const trend of [-1, 1]) {
    const sessions = made({ trend, sessions: 400 });
    const [found] = await analyseTrial(sessions, {
      ruleIds: ["r"],
      planned: 400,
      alpha: 0.05,
      isAdaptive: true,
    });
    assert.equal(found?.verdict, "undecided");
    assert.ok((found.perSession?.low ?? 1) < 0 && (found.perSession?.high ?? -1) > 0);
  }
});

test("An interval for any look is wider than that of a planned one, and holds the truth", async () => {
  const sessions = made({ saves: 0.2, sessions: 200 });
  const ask = async (isAdaptive: boolean) => {
    const [found] = await analyseTrial(sessions, { ruleIds: ["r"], planned: 200, alpha: 0.05, isAdaptive });
    assert.ok(found?.saving);
    return found.saving;
  };
  const [planned, any] = [await ask(false), await ask(true)];
  assert.ok(any.low <= 1 - Math.exp(-0.2) && 1 - Math.exp(-0.2) <= any.high);
  assert.ok(any.high - any.low > 0 && planned.high - planned.low > 0);
});
