import assert from "node:assert/strict";
import { test } from "node:test";
import { plainSentence } from "../../../src/engine/base/language.ts";
import { comparisonPower } from "../../../src/engine/compare/run-compare.ts";
import { compareMany } from "../../bench/verdicts/arms.ts";
import { usualShape } from "../../bench/verdicts/world.ts";

const expected = {
  perRun: 47_000,
  cacheReadPerRun: 0,
  spread: 0.2,
  source: "measured",
  because: plainSentence("a test"),
} as const;

test("The chance of several changes at once, and the share of the cost, equal simulated ones", async () => {
  const weights = Array.from({ length: usualShape.tasks }, () => 1);
  const { curves, savings } = comparisonPower({ weights, rounds: null, changes: 3 }, expected);
  const planned = curves[1]?.most.chances[savings.indexOf(0.1)] ?? 0;
  const draws = 120;
  const steady = { ...usualShape, spread: [0.2, 0.2] as const, astray: 0, passes: 0.97, saves: 0.1 };
  const { found } = await compareMany([0.1, 0, 0], "shared", { draws }, steady);
  const error = Math.sqrt((planned * (1 - planned)) / draws);
  assert.ok(Math.abs(found / draws - planned) <= 3.5 * error + 0.06, `${found / draws}, planned ${planned}`);
});

test("One change has the usual plan, and several cost less each than alone", () => {
  const about = { weights: [1, 1, 1, 1], rounds: 12 };
  const one = comparisonPower({ ...about, changes: 1 }, expected);
  assert.deepEqual([one.isOfArms, one.together, one.curves.length], [undefined, 1, 1]);
  const tokens = [2, 4, 8].map(
    (changes) => comparisonPower({ ...about, changes }, expected).curves[1]?.most.tokens,
  );
  assert.deepEqual(
    tokens,
    tokens.toSorted((a = 0, b = 0) => b - a),
  );
  assert.ok((tokens[0] ?? Infinity) < (one.curves[0]?.most.tokens ?? 0));
});
