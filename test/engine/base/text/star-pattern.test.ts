import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { starPattern } from "../../../../src/engine/base/text.ts";

const letters = (maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom("a", "b", "/"), { maxLength }).map((each) => each.join(""));

test("a star pattern finds what an expression with stars between its parts finds", () => {
  fc.assert(
    fc.property(fc.array(letters(3), { minLength: 1, maxLength: 5 }), letters(12), (parts, text) => {
      assert.equal(starPattern(parts).test(text), new RegExp(`^${parts.join(".*")}$`, "u").test(text));
    }),
  );
});

test("a star pattern of many stars tests a long text", () => {
  const parts = [...Array.from({ length: 30 }, () => "a"), "b"];
  assert.equal(starPattern(parts).test("a".repeat(4000)), false);
  assert.equal(starPattern(parts).test(`${"a".repeat(4000)}b`), true);
});
