import assert from "node:assert/strict";
import { test } from "node:test";
import { describeIdle } from "../../../src/engine/verdict/verdict-answers.ts";

test("A batch says how many of its rules are expected to save nothing", () => {
  const rule = (grade: "proved" | "worth" | "none", ofNothing: number) => ({ grade, ofNothing });
  assert.equal(describeIdle([]), null);
  assert.equal(describeIdle([rule("none", 0.9)]), null);
  assert.equal(describeIdle([rule("worth", 0.2)])?.text, "It saves nothing with a chance of 20%.");
  const batch = [rule("worth", 0.5), rule("proved", 0.05), rule("none", 0.9), rule("worth", 0.25)];
  assert.equal(
    describeIdle(batch)?.text,
    "Of 3 rules that are worth having or proved, about 0.8 save nothing.",
  );
});
