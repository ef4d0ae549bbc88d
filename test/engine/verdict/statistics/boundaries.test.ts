import { test } from "node:test";
import assert from "node:assert/strict";
import { seededRandom } from "../../support/seeded-random.ts";
import {
  Boundaries,
  patientBoundaries,
  patientSpending,
} from "../../../../src/engine/verdict/statistics/boundaries.ts";
import {
  normalDensity,
  normalTail,
  normalUpperQuantile,
} from "../../../../src/engine/verdict/statistics/normal.ts";
import { atMost } from "../support/samples.ts";

test("Boundaries equal the published ones of O'Brien and Fleming's kind for five looks", () => {
  // Lan and DeMets's one-sided function for 0.025; figures from gsDesign and from Jennison and Turnbull's book.
  const z = normalUpperQuantile(0.0125);
  const boundaries = new Boundaries((look) => 2 * normalTail(z / Math.sqrt(Math.min(1, look / 5))));
  const published = [4.8769, 3.3569, 2.6803, 2.2898, 2.031];
  for (const [index, expected] of published.entries())
    assert.ok(Math.abs(boundaries.at(index + 1) - expected) < 5e-4, `look ${index + 1}`);
});

test("One look is the ordinary test", () => {
  const boundaries = new Boundaries(() => 0.05);
  assert.ok(Math.abs(boundaries.at(1) - 1.6449) < 1e-4);
});

test("Spending rises, most of it by the planned end, and never exceeds the allowed error", () => {
  const spending = patientSpending(0.05, 10);
  let before = 0;
  for (let look = 1; look < 500; look += 1) {
    assert.ok(spending(look) > before && spending(look) < 0.05);
    before = spending(look);
  }
  assert.ok(spending(5) < 0.4 * 0.05);
  assert.ok(spending(10) > 0.89 * 0.05);
});

test("A sum of noise passes them in no more than the stated share of cases, over sixty looks", () => {
  const boundaries = patientBoundaries(0.05, 20);
  const random = seededRandom(45);
  const draws = 4000;
  let passed = 0;
  for (let draw = 0; draw < draws; draw += 1) {
    let sum = 0;
    for (let look = 1; look <= 60; look += 1) {
      sum += random.normal();
      if (sum < boundaries.at(look) * Math.sqrt(look)) continue;
      passed += 1;
      break;
    }
  }
  assert.ok(passed / draws < atMost(0.05, draws), `${passed} of ${draws}`);
  // Not many fewer either: the error rate is used, not wasted.
  assert.ok(passed / draws > 0.04, `${passed} of ${draws}`);
});

test("Late looks keep a boundary", () => {
  const boundaries = patientBoundaries(0.2, 10);
  assert.equal(boundaries.at(100_000), boundaries.at(1_000_000));
  assert.ok(Number.isFinite(boundaries.at(100_000)));
});

test("The next look spends the rest of the error allowed by then", () => {
  // Integrated again over a fine grid: the sum stays below the first bound, and passes the second with its last step.
  const [alpha, planned] = [0.05, 20];
  const spending = patientSpending(alpha, planned);
  const boundaries = patientBoundaries(alpha, planned);
  assert.ok(Math.abs(boundaries.at(1) - normalUpperQuantile(spending(1))) < 1e-7);
  const [bound, next] = [boundaries.at(1), boundaries.at(2) * Math.SQRT2];
  const step = 1e-3;
  let found = 0;
  for (let sum = bound - step / 2; sum > -12; sum -= step)
    found += step * normalDensity(sum) * normalTail(next - sum);
  assert.ok(Math.abs(found - (spending(2) - spending(1))) < 1e-6, String(found));
});

test("More plans than are cached get the same answers", () => {
  const before = patientBoundaries(0.05, 36).at(9);
  for (let planned = 100; planned < 1300; planned += 1) patientBoundaries(0.05, planned);
  assert.equal(patientBoundaries(0.05, 36).at(9), before);
});
