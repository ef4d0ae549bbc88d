import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { drawRules, isGiven } from "../../../../src/engine/rules/trial/draw.ts";
import { normalTail } from "../../../../src/engine/verdict/statistics/normal.ts";

const sessions = Array.from({ length: 4000 }, (_, index) => `0198-session-${index}`);
/** A count of so many fair coins lies within this many standard deviations but for one of 30 million draws. */
const tolerance = 5.5;

function standardized(count: number, of: number): number {
  return (count - of / 2) / Math.sqrt(of / 4);
}

test("A session draws the same rules again, whatever else is on trial", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.uniqueArray(fc.string()), (trial, session, ids) => {
      const drawn = drawRules(trial, session, ids);
      assert.deepEqual(drawRules(trial, session, ids), drawn);
      assert.deepEqual([...drawn.given, ...drawn.withheld].sort(), [...ids].sort());
      for (const id of ids) assert.equal(isGiven(trial, session, id), drawn.given.includes(id));
    }),
  );
});

test("Half of the sessions draw a rule, and two rules or two trials have nothing to do with each other", () => {
  assert.ok(normalTail(tolerance) < 1 / 3e7);
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (trial, other, one, two) => {
      fc.pre(one !== two && trial !== other);
      const had = sessions.map((session) => isGiven(trial, session, one));
      const same = (of: (session: string) => boolean) =>
        sessions.filter((session, index) => had[index] === of(session)).length;
      for (const count of [
        had.filter(Boolean).length,
        same((session) => isGiven(trial, session, two)),
        same((session) => isGiven(other, session, one)),
      ])
        assert.ok(Math.abs(standardized(count, sessions.length)) < tolerance, `${count} of 4000`);
    }),
    { numRuns: 20 },
  );
});

test("Concatenated ids are kept apart", () => {
  const pairs = sessions.map((session) => [isGiven("a", `b${session}`, "c"), isGiven("ab", session, "c")]);
  assert.ok(pairs.some(([one, other]) => one !== other));
});

test("A draw matches its description: a bit of a hash that anybody can repeat", () => {
  // printf '["t1","s1","r1"]' | sha256sum starts with 06, with r2 a2, r3 93 and r4 e7.
  assert.deepEqual(
    ["r1", "r2", "r3", "r4"].map((rule) => isGiven("t1", "s1", rule)),
    [false, false, true, true],
  );
});
