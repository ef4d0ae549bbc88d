import fc from "fast-check";
import assert from "node:assert/strict";
import { test } from "node:test";
import { RE2JS } from "re2js";
import {
  alternativesOf,
  foldCase,
  inLowerCase,
  literalOf,
  requiredTexts,
} from "../../../../src/engine/guard/calls/pattern-parts.ts";
import { catalogue } from "../../../../src/engine/guard/catalogue/all.ts";

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

test("reads the texts that a pattern requires", () => {
  const cases: readonly (readonly [string, readonly string[] | null])[] = [
    ["abc", ["abc"]],
    ["ABC|d\\.ef", ["abc", "d.ef"]],
    ["abc|de", null],
    ["abc?d", null],
    ["x{0,3}abcd", ["abcd"]],
    ["(?:foo|barb)\\s+x", ["foo", "barb"]],
    ["(?:foo)?barb", ["barb"]],
    ["(?i)drop x", ["drop x"]],
    ["(?P<path>abcd)e", ["abcd"]],
    ["[abc]def", ["def"]],
    ["[]x]def", ["def"]],
    ["abc[[:alpha:]]d", ["abc"]],
    ["\\x61bcd", null],
    ["abcd+ef", ["abcd"]],
    ["", null],
  ];
  for (const [pattern, texts] of cases) assert.deepEqual(requiredTexts(pattern), texts, pattern);
});

const part = fc.constantFrom(
  "abc",
  "d",
  "(?:ab|cde)",
  "x?",
  "[a-c]",
  "\\.",
  "|",
  "e+",
  "(?:fg){0,2}",
  "\\s",
  "^",
);

/** Compiles a pattern as a whole: `LinearPattern` itself looks for the required texts. */
const searchFor = (pattern: string): RE2JS =>
  RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE | RE2JS.MULTILINE);

test("each match of a pattern contains one of its required texts", () => {
  const patterns = catalogue.flatMap(({ match }) =>
    match
      .flatMap((each) => ("tool" in each ? [] : [each.text, each.notText]))
      .filter((text) => text !== undefined),
  );
  const texts = catalogue.flatMap(({ fires, passes }) => [...fires, ...passes]);
  for (const pattern of patterns) {
    const required = requiredTexts(pattern);
    if (required === null) continue;
    const search = searchFor(pattern);
    for (const text of texts)
      if (!required.some((each) => text.toLowerCase().includes(each)))
        assert.ok(!search.test(text), `${pattern} in ${text}`);
  }
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 6 }),
      fc.array(fc.constantFrom("abc", "d", "ab", "cde", "fg", "e", ".", " ", "x"), { maxLength: 8 }),
      (parts, pieces) => {
        const [pattern, text] = [parts.join(""), pieces.join("")];
        const required = requiredTexts(pattern);
        if (required !== null && searchFor(pattern).test(text))
          assert.ok(required.some((each) => text.includes(each)));
      },
    ),
    { numRuns: 2000 },
  );
});
