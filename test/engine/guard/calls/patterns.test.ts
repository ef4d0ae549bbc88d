import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { RE2JS } from "re2js";
import { LinearPattern } from "../../../../src/engine/guard/calls/patterns.ts";
import { catalogue } from "../../../../src/engine/guard/catalogue/all.ts";
import { Effort } from "../../../../src/engine/guard/effort.ts";

const allFlags = [
  0,
  RE2JS.MULTILINE,
  RE2JS.CASE_INSENSITIVE,
  RE2JS.CASE_INSENSITIVE | RE2JS.MULTILINE,
] as const;

/** Checks that a pattern finds what RE2 finds with the pattern as a whole. */
function compare(pattern: string, flags: number, texts: readonly string[]): void {
  const whole = RE2JS.compile(pattern, flags);
  const parts = new LinearPattern(pattern, flags);
  for (const text of texts) {
    const about = `${JSON.stringify(pattern)}, flags ${flags}, in ${JSON.stringify(text)}`;
    assert.equal(parts.isIn(text, null), whole.test(text), about);
    assert.equal(parts.isWhole(text, null), whole.testExact(text), about);
  }
}

const patternPart = fc.constantFrom(
  ...["abc", "Abc", "d", "K", "s", "(?:ab|CDe)", "x?", "[A-c]", "[a-cX-Z]", "[^a-z]", "[!-a]", "[_-]", "\\."],
  ...[
    "|",
    "|",
    "e+",
    "(?:fg){0,2}",
    "\\s",
    "\\S",
    "\\b",
    "\\W",
    "\\x41",
    "^",
    "$",
    "(?:",
    "(?:",
    ")",
    ")",
    "é",
  ],
  ...["(?i)", "(?-i:", "(", "\\Q", "\\E", "[[:upper:]]", "[]|]", "\\|", "(?s).", "\n"],
);
const textPart = fc.constantFrom(
  ...[
    "abc",
    "ABC",
    "d",
    "k",
    "K",
    "S",
    "ab",
    "cde",
    "CDE",
    "x",
    "X",
    "Z",
    "fg",
    "FG",
    "e",
    "E",
    ".",
    " ",
    "\n",
  ],
  ...["é", "É", "İ", "_", "-", "|", "]", "A", "!"],
);

test("finds what the whole pattern finds", () => {
  fc.assert(
    fc.property(
      fc.array(patternPart, { maxLength: 9 }),
      fc.array(fc.array(textPart, { maxLength: 6 }), { minLength: 1, maxLength: 12 }),
      fc.constantFrom(...allFlags),
      (parts, texts, flags) => {
        const pattern = parts.join("");
        try {
          RE2JS.compile(pattern, flags);
        } catch {
          return;
        }
        compare(pattern, flags, ["", ...texts.map((pieces) => pieces.join(""))]);
      },
    ),
    { numRuns: 2000 },
  );
});

test("finds what each pattern of the catalogue finds as a whole", () => {
  const tested = (value: unknown): string[] => {
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
      typeof inner === "string" && ["like", "unlike", "text", "notText", "content", "removes"].includes(key)
        ? [inner]
        : tested(inner),
    );
  };
  for (const { match, fires, passes } of catalogue) {
    const texts = [...fires, ...passes].flatMap((text) => [text, text.toUpperCase(), ...text.split(/\s+/u)]);
    for (const pattern of new Set(tested(match)))
      for (const flags of [0, RE2JS.CASE_INSENSITIVE | RE2JS.MULTILINE])
        compare(pattern, flags, texts.slice(0, 10));
  }
});

test("names the part of a whole text that a group matches", () => {
  const pattern = new LinearPattern("--file=(?P<path>.*)|x", 0);
  assert.equal(pattern.groupOf("--file=A/b", "path"), "A/b");
  assert.equal(pattern.groupOf("--files", "path"), null);
});

test("gives up if a test takes more steps than are left", () => {
  const pattern = new LinearPattern("abc.*d", 0);
  const effort = new Effort(50);
  assert.equal(pattern.isIn("x".repeat(10_000), effort), false, "a search for required texts is cheap");
  assert.equal(pattern.isIn(`abc${"x".repeat(10_000)}`, effort), null);
  assert.ok(effort.isExceeded);
});
