import { test } from "node:test";
import assert from "node:assert/strict";
import fc from "fast-check";
import { seededRandom } from "../support/seeded-random.ts";

test("The same seed draws the same, another draws others", () => {
  const draw = (seed: number) => {
    const random = seededRandom(seed);
    return Array.from({ length: 8 }, () => random.next());
  };
  assert.deepEqual(draw(7), draw(7));
  const firsts = new Set([0, 1, 2, 3, -1, 2 ** 32, 2 ** 40].map((seed) => draw(seed)[0]));
  assert.equal(firsts.size, 7);
});

test("numbers are uniform, and normal ones have the expected distribution", () => {
  const random = seededRandom(20_261_122);
  const draws = 20_000;
  const tenths = Array.from({ length: 10 }, () => 0);
  let [sum, squares, beyond] = [0, 0, 0];
  for (let draw = 0; draw < draws; draw += 1) {
    const tenth = random.below(10);
    tenths[tenth] = (tenths[tenth] ?? 0) + 1;
    const value = random.normal();
    sum += value;
    squares += value * value;
    if (value > 1.96) beyond += 1;
  }
  // Four standard errors of a binomial count.
  for (const count of tenths) assert.ok(Math.abs(count - 2000) < 4 * Math.sqrt(draws * 0.09), String(count));
  assert.ok(Math.abs(sum / draws) < 0.03);
  assert.ok(Math.abs(squares / draws - 1) < 0.05);
  assert.ok(Math.abs(beyond / draws - 0.025) < 0.0045);
});

test("A shuffle keeps every item, and leaves what it was given alone", () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.integer(), (items, seed) => {
      const before = [...items];
      const order = seededRandom(seed).shuffled(items);
      assert.deepEqual(items, before);
      const sorted = (all: readonly number[]) => [...all].sort((one, other) => one - other);
      assert.deepEqual(sorted(order), sorted(items));
    }),
  );
});

test("Every order of three is drawn as often", () => {
  const random = seededRandom(3);
  const seen = new Map<string, number>();
  for (let draw = 0; draw < 6000; draw += 1) {
    const order = random.shuffled(["a", "b", "c"]).join("");
    seen.set(order, (seen.get(order) ?? 0) + 1);
  }
  assert.equal(seen.size, 6);
  for (const count of seen.values())
    assert.ok(Math.abs(count - 1000) < 4 * Math.sqrt(6000 / 6), String(count));
});
