import assert from "node:assert/strict";
import { test } from "node:test";
import {
  dollars,
  estimatedNumber,
  percent,
  shortNumber,
  wholeNumber,
} from "../../../../src/engine/base/text/format.ts";

test("whole numbers are grouped", () => {
  assert.deepEqual([0, 999, 124_310].map(wholeNumber), ["0", "999", "124,310"]);
});

test("an estimate claims three digits at most, and keeps its size", () => {
  assert.deepEqual(
    [0, 7, 999, 999.6, 1000, 12_792, 108_979, 999_600, 2_306_542, -12_792].map(estimatedNumber),
    ["0", "7", "999", "1,000", "1,000", "12,800", "109,000", "1,000,000", "2,310,000", "−12,800"],
  );
});

test("short numbers round at their unit and never become 1000k", () => {
  assert.deepEqual(
    [0, 812, 999.4, 1000, 83_123, 999_499, 999_500, 1_240_000, 1_000_000, 12_400_000].map(shortNumber),
    ["0", "812", "999", "1k", "83k", "999k", "1M", "1.2M", "1M", "12M"],
  );
});

test("dollars keep two digits that mean something", () => {
  assert.deepEqual([0, 1.924, 12, 0.1, 0.0432, 0.0004, -0.02].map(dollars), [
    "$0.00",
    "$1.92",
    "$12.00",
    "$0.10",
    "$0.043",
    "< $0.001",
    "−$0.020",
  ]);
});

test("a percentage is 0 or 100 only when it is", () => {
  assert.deepEqual([0, 0.2, 1, 38.4, 99.9, 100].map(percent), ["0%", "<1%", "1%", "38%", "99%", "100%"]);
});
