import assert from "node:assert/strict";
import { test } from "node:test";
import { compareMany } from "../../bench/verdicts/arms.ts";
import { usualShape } from "../../bench/verdicts/world.ts";
import { atMost } from "./support/samples.ts";

// Seeded. The error is that of all arms together, examined after every round.

test("Among three changes without effect, false savings and costs stay within the error rate of one change", async () => {
  const draws = 150;
  const { falseSaves, falseCosts, missed } = await compareMany([0, 0, 0], "shared", { draws });
  assert.ok(falseSaves / draws <= atMost(0.05, draws), `saves ${falseSaves}`);
  assert.ok(falseCosts / draws <= atMost(0.05, draws), `costs ${falseCosts}`);
  // Intervals miss on either side.
  assert.ok(missed / draws / 3 <= atMost((2 * 0.05) / 3, 3 * draws), `missed ${missed}`);
});

test("Skewed costs, for which a control's mean is not a fair match, do not break it either", async () => {
  const draws = 100;
  const heavy = { ...usualShape, spread: [0.3, 0.5] as const, astray: 0.25 };
  const { falseSaves, falseCosts } = await compareMany([0, 0, 0, 0, 0, 0], "shared", { draws }, heavy);
  assert.ok(falseSaves / draws <= atMost(0.05, draws), `saves ${falseSaves}`);
  assert.ok(falseCosts / draws <= atMost(0.05, draws), `costs ${falseCosts}`);
});

test("A saver among three is found for far fewer tokens than by three comparisons", async () => {
  const draws = 40;
  const shared = await compareMany([0.2, 0, 0], "shared", { draws });
  const apart = await compareMany([0.2, 0, 0], "apart", { draws });
  assert.ok(shared.found >= 0.9 * draws, `${shared.found}`);
  assert.ok(shared.tokens < 0.75 * apart.tokens, `${shared.tokens} of ${apart.tokens}`);
});
