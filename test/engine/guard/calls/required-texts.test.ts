import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { RE2JS } from "re2js";
import { requiredTexts } from "../../../../src/engine/guard/calls/required-texts.ts";
import { catalogue } from "../../../../src/engine/guard/catalogue/all.ts";

test("the texts that a pattern asks for are read from it", () => {
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

test("a text that a pattern matches holds one of the texts that it asks for", () => {
  const patterns = catalogue.flatMap(({ match }) =>
    match
      .flatMap((each) => ("tool" in each ? [] : [each.text, each.notText]))
      .filter((text) => text !== undefined),
  );
  const texts = catalogue.flatMap(({ fires, passes }) => [...fires, ...passes]);
  for (const pattern of patterns) {
    const required = requiredTexts(pattern);
    if (required === null) continue;
    for (const text of texts)
      if (!required.some((each) => text.toLowerCase().includes(each)))
        assert.ok(!searchFor(pattern).test(text), `${pattern} in ${text}`);
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
