import assert from "node:assert/strict";
import { test } from "node:test";
import { marked } from "../../../src/engine/usage/token-counts.ts";

test("a figure shows whether it is estimated, official or measured, by one mark", () => {
  assert.equal(marked("$1.92", "estimated"), "~$1.92");
  assert.equal(marked("$1.92", "official"), "$1.92*");
  assert.equal(marked("60,500", "measured"), "60,500");
  assert.equal(marked("unknown", "unknown"), "unknown");
});

test("a bound is not marked as an estimate too", () => {
  assert.equal(marked("< $0.001", "estimated"), "< $0.001");
  assert.equal(marked("<1%", "estimated"), "<1%");
});
