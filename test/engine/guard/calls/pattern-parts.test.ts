import assert from "node:assert/strict";
import { test } from "node:test";
import {
  alternativesOf,
  foldCase,
  inLowerCase,
  literalOf,
} from "../../../../src/engine/guard/calls/pattern-parts.ts";

test("splits a pattern at its outermost alternatives", () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["abc", ["abc"]],
    ["a|b\\|c|d", ["a", "b\\|c", "d"]],
    ["a(?:b|c)|[|]|[]|]x", ["a(?:b|c)", "[|]", "[]|]x"]],
    ["(?:a|(?:b|c)d)", ["a", "(?:b|c)d"]],
    ["(?:a|b)(?:c|d)", ["(?:a|b)(?:c|d)"]],
    ["(?:a|b)?", ["(?:a|b)?"]],
    ["^(?:a|b)", ["^(?:a)", "^(?:b)"]],
    ["^a|b", ["^a", "b"]],
    ["a|", ["a", ""]],
    ["[[:alpha:]|]|b", ["[[:alpha:]|]", "b"]],
    // A flag, a quotation and a named group concern more than one alternative.
    ["a|(?i)b|c", ["a|(?i)b|c"]],
    ["(?i:a|b)|c", ["(?i:a|b)|c"]],
    ["\\Qa|b\\E|c", ["\\Qa|b\\E|c"]],
    ["(?P<path>a)|b", ["(?P<path>a)|b"]],
    ["(?<path>a)|b", ["(?<path>a)|b"]],
  ];
  for (const [pattern, parts] of cases) assert.deepEqual(alternativesOf(pattern), parts, pattern);
});

test("knows a pattern that matches one text", () => {
  const cases: readonly (readonly [string, string | null])[] = [
    ["a-b/c", "a-b/c"],
    ["a\\.b\\\\", "a.b\\"],
    ["", ""],
    ["a.b", null],
    ["ab?", null],
    ["\\d", null],
    ["[a]", null],
    ["^a", null],
  ];
  for (const [pattern, literal] of cases) assert.equal(literalOf(pattern), literal, pattern);
});

test("turns a pattern into lower case only if it keeps its meaning", () => {
  const cases: readonly (readonly [string, string | null])[] = [
    ["Drop (?:TABLE|x)\\S\\B", "drop (?:table|x)\\S\\B"],
    ["[A-Z\\dx-z_-]+", "[a-z\\dx-z_-]+"],
    ["[^A-C]", "[^a-c]"],
    ["[]A]", "[]a]"],
    // These ranges and classes have letters of one case only.
    ["[!-a]", null],
    ["[+-Z]", null],
    ["[[:upper:]]", null],
    ["\\x41", null],
    ["\\pL", null],
    ["(?-i:A)", null],
    ["é", null],
  ];
  for (const [pattern, lower] of cases) assert.equal(inLowerCase(pattern), lower, pattern);
});

test("folds a text to the same length", () => {
  assert.equal(foldCase("Drop É İ \u017f \u212a"), "drop É İ s k");
});
