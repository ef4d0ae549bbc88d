import { test } from "node:test";
import assert from "node:assert/strict";
import {
  normalCdf,
  normalTail,
  normalUpperQuantile,
} from "../../../../src/engine/verdict/statistics/normal.ts";

const near = (found: number, expected: number, share: number) =>
  assert.ok(Math.abs(found - expected) <= share * expected, `${found} is not ${expected}`);

test("Tails equal the published tables", () => {
  // Abramowitz and Stegun, tables 26.1 and 26.2.
  near(normalTail(0), 0.5, 1e-12);
  near(normalTail(1), 0.158655253931457, 1e-12);
  near(normalTail(1.959963984540054), 0.025, 1e-12);
  near(normalTail(3), 1.349898031630095e-3, 1e-12);
  near(normalTail(5), 2.866515718791939e-7, 1e-10);
  near(normalTail(8), 6.220960574271785e-16, 1e-8);
  near(normalCdf(-2), 0.022750131948179, 1e-12);
});

test("The tail is continuous where its two formulas meet, and ends at zero", () => {
  near(normalTail(2.9999999), normalTail(3.0000001), 1e-6);
  near(normalTail(8.9999999), normalTail(9.0000001), 1e-5);
  assert.equal(normalTail(40), 0);
  assert.equal(normalTail(-40), 1);
});

test("Quantiles are the tail's inverse", () => {
  near(normalUpperQuantile(0.05), 1.6448536269514722, 1e-12);
  near(normalUpperQuantile(0.005), 2.5758293035489004, 1e-12);
  assert.ok(Math.abs(normalUpperQuantile(0.5)) < 1e-12);
  for (const tail of [1e-9, 0.001, 0.3, 0.9]) near(normalTail(normalUpperQuantile(tail)), tail, 1e-9);
});
