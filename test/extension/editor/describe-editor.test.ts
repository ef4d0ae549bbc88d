import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { tokensFrom } from "../../../src/extension/editor/describe-editor.ts";

const written: readonly (readonly [string, number | undefined])[] = [
  ["200000", 200_000],
  [" 200,000 ", 200_000],
  ["200_000", 200_000],
  ["200k", 200_000],
  ["1 M", 1_000_000],
  ["1.5m", 1_500_000],
  ["0", undefined],
  ["-5", undefined],
  ["many", undefined],
  ["", undefined],
  ["1e9", undefined],
  ["99999999999999999999", undefined],
];

for (const [text, tokens] of written)
  test(`tokens written as "${text}"`, () => assert.equal(tokensFrom(text), tokens));

test("any number of tokens is read as it was written", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1 }), (tokens) => assert.equal(tokensFrom(String(tokens)), tokens)),
  );
});
