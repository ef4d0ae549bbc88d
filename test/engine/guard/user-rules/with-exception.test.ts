import fc from "fast-check";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { scrub } from "../../../../src/engine/base/scrub.ts";
import { searchFor, whyNoPattern } from "../../../../src/engine/guard/calls/patterns.ts";
import { maxExcerptLength } from "../../../../src/engine/guard/hit-entry.ts";
import type { GuardException } from "../../../../src/engine/guard/user-rules/config.ts";
import {
  exceptionFor,
  patternOf,
} from "../../../../src/engine/guard/user-rules/describe-guard-user-rules.ts";
import { withException } from "../../../../src/engine/guard/user-rules/editor.ts";
import { readConfig, type RuleChecks } from "../../../../src/engine/guard/user-rules/read-config.ts";

const checks: RuleChecks = {
  scope: "user",
  known: new Map([
    ["delete-home", "ask"],
    ["git-push-force", "ask"],
  ]),
  coded: new Set(["same-failure-again"]),
  whyNoPattern,
  firedOn: () => [],
};
const exception: GuardException = {
  rule: "delete-home",
  like: String.raw`\Arm -rf ~/"a: b" # c\z`,
  folder: "C:\\Users\\mara\\my app",
  until: "2026-12-31",
};
const item = [
  "- rule: delete-home",
  String.raw`  like: "\\Arm -rf ~/\"a: b\" # c\\z"`,
  String.raw`  folder: "C:\\Users\\mara\\my app"`,
  `  until: "2026-12-31"`,
];
const block = (indent: string) => item.map((line) => `${indent}${line}\n`).join("");

function added(text: string): { text: string; line: number } {
  const made = withException(text, exception, checks);
  if (!made.ok) assert.fail(made.detail.text);
  return made.value;
}

describe("an exception that is written into a guard.yaml", () => {
  const places: Readonly<Record<string, readonly [text: string, changed: string, line: number]>> = {
    "is the file, where there was none": ["", `exceptions:\n${block("  ")}`, 2],
    "stands behind everything else": [
      "# Mine.\nset:\n  delete-home: deny # really\n",
      `# Mine.\nset:\n  delete-home: deny # really\nexceptions:\n${block("  ")}`,
      5,
    ],
    "stands in the column of the others where the file begins with a mark of its encoding": [
      "\ufeffset: {}\r\n",
      `\ufeffset: {}\r\nexceptions:\r\n${block("  ").replaceAll("\n", "\r\n")}`,
      3,
    ],
    "begins a line of its own": ["set: {}", `set: {}\nexceptions:\n${block("  ")}`, 3],
    "follows the last of the list, and its comment": [
      "exceptions:\n  - rule: delete-home # all\n    until: 2026-01-01 # old\n\n# The end.\nset: {}\n",
      `exceptions:\n  - rule: delete-home # all\n    until: 2026-01-01 # old\n${block("  ")}\n# The end.\nset: {}\n`,
      4,
    ],
    "keeps a list's own indentation": [
      "exceptions:\n- rule: delete-home",
      `exceptions:\n- rule: delete-home\n${block("")}`,
      3,
    ],
    "keeps the file's ends of lines": [
      "exceptions:\r\n  - rule: delete-home\r\nset: {}\r\n",
      `exceptions:\r\n  - rule: delete-home\r\n${block("  ").replaceAll("\n", "\r\n")}set: {}\r\n`,
      3,
    ],
  };
  for (const [name, [text, changed, line]] of Object.entries(places))
    test(name, () => {
      assert.deepEqual(added(text), { text: changed, line });
    });

  test("goes into brackets if the list has them", () => {
    assert.match(
      added("exceptions: [] # none\nset: {}\n").text,
      /^exceptions: \[\{ rule: .* \}\] # none\nset: \{\}\n$/u,
    );
    const { text, line } = added("exceptions: [\n  { rule: delete-home }, # one\n]\n");
    assert.match(text, /\{ rule: delete-home \}, \{ rule: delete-home, like: .* \}, # one\n\]\n$/u);
    assert.equal(line, 2);
  });

  test("is refused if the file has a fault, which is reported with its line", () => {
    const refused = (text: string) => {
      const made = withException(text, exception, checks);
      return made.ok ? "" : made.detail.text;
    };
    assert.match(refused("set: {}\nexceptions:\n"), /^line 2: exceptions: /u);
    assert.match(refused("rules: 7\n"), /^line 1: rules: /u);
    assert.match(refused("set: [\n"), /^line 2: /u);
    assert.match(refused("exceptions:\n  - rule: no-such-rule\n"), /^line 2: there is no rule no-such-rule/u);
  });

  test("is refused if there is no place for it, or the rule is unknown", () => {
    assert.match(
      reason(withException("{ set: {} }\n", exception, checks)),
      /^no_place: it is written in a way/u,
    );
    assert.match(reason(withException("set: {}\n...\n", exception, checks)), /^no_place: /u);
    assert.match(
      reason(withException("", { rule: "no-such-rule" }, checks)),
      /^no_place: the exception would be no good \(line 2: there is no rule no-such-rule/u,
    );
  });
});

function reason(made: ReturnType<typeof withException>): string {
  return made.ok ? "" : `${made.reason}: ${made.detail.text}`;
}

const anyException = fc
  .record({
    rule: fc.constantFrom("delete-home", "git-push-force"),
    excerpt: fc.option(fc.string({ unit: "binary", minLength: 1, maxLength: 60 }), { nil: undefined }),
    folder: fc.option(fc.string({ unit: "binary", minLength: 1, maxLength: 60 }), { nil: undefined }),
    until: fc.option(fc.constantFrom("2026-12-31", "2027-02-28"), { nil: undefined }),
  })
  .map(({ rule, excerpt, folder, until }): GuardException => ({
    rule,
    ...(excerpt === undefined ? {} : { like: patternOf(excerpt) }),
    ...(folder === undefined ? {} : { folder }),
    ...(until === undefined ? {} : { until }),
  }));

const comment = fc.constantFrom("", " # why", " # 'odd\" [", "\t# x");
const blank = fc.constantFrom("", "\n", "# A note: with - marks\n", "\n  # indented\n");
const lists = fc.constantFrom(
  "exceptions: []",
  "exceptions: [{ rule: delete-home }]",
  "exceptions: [ { rule: delete-home, }, ]",
  "exceptions:\n- rule: delete-home\n  like: rm",
  "exceptions:\n    - rule: delete-home\n      like: |\n        rm\n    - { rule: git-push-force }",
  "exceptions:\n  - like: >-\n      rm\n      -rf\n    rule: delete-home",
  "exceptions:\n  -\n    rule: delete-home",
);
const others = fc.constantFrom(
  "set:\n  delete-home: off",
  "set: { delete-home: deny }",
  "rules:\n  - id: no-deploy\n    match: [{ program: make }]\n    message: |+\n      It deploys.\n",
  "rules:\n- id: no-deploy\n  match:\n  - program: make\n  message: It deploys.",
);
const anyFile = fc
  .record({
    parts: fc.tuple(fc.option(lists), fc.option(others), fc.boolean()),
    comments: fc.array(comment, { minLength: 2, maxLength: 2 }),
    blanks: fc.array(blank, { minLength: 3, maxLength: 3 }),
    hasEnd: fc.boolean(),
    isWindows: fc.boolean(),
  })
  .map(({ parts: [list, other, isFirst], comments, blanks, hasEnd, isWindows }) => {
    const both = isFirst ? [list, other] : [other, list];
    const lines = both.flatMap((part, index) =>
      part === null
        ? []
        : [`${blanks[index] ?? ""}${part}${/[|>]/u.test(part) ? "" : (comments[index] ?? "")}\n`],
    );
    const text = `${lines.join("")}${blanks[2] ?? ""}`;
    const ended = hasEnd ? text : text.replace(/\n$/u, "");
    return isWindows ? ended.replaceAll("\n", "\r\n") : ended;
  });

test("The exception reads back the same, and all other bytes do not change", () => {
  let placed = 0;
  fc.assert(
    fc.property(anyFile, anyException, (text, asked) => {
      const before = readConfig(text, checks);
      fc.pre(before.ok);
      const made = withException(text, asked, checks);
      if (!made.ok) {
        // A text without an end of line, whose last value would get one.
        assert.ok(!text.endsWith("\n") && /[|>]/u.test(text), `${made.detail.text}\n${text}`);
        return;
      }
      placed += 1;
      const { text: after, line } = made.value;
      const read = readConfig(after, checks);
      assert.ok(read.ok);
      assert.deepEqual(read.value, { ...before.value, exceptions: [...before.value.exceptions, asked] });
      const grown = after.length - text.length;
      const isInserted = (at: number) => after.slice(0, at) + after.slice(at + grown) === text;
      assert.ok(Array.from({ length: text.length + 1 }, (_, at) => at).some(isInserted));
      assert.match(after.split(/\n/u)[line - 1] ?? "", /rule: /u);
      // A file that is stored as UTF-8 says the same.
      assert.equal(Buffer.from(after, "utf8").toString("utf8"), after);
    }),
  );
  assert.ok(placed > 20);
});

test("A pattern matches the call that it was made from, although the ledger cuts it and removes secrets", () => {
  const words = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.constantFrom("a@b.example", "TOKEN=abcdefgh", "rm -rf build", "\\d+(x|y)*$", "[secret]"),
    fc.string({ minLength: 150, maxLength: 300 }),
  );
  fc.assert(
    fc.property(fc.array(words, { minLength: 1, maxLength: 6 }), (parts) => {
      const call = parts.join(" ");
      const excerpt = Buffer.from(scrub(call).slice(0, maxExcerptLength), "utf8").toString("utf8");
      const pattern = patternOf(excerpt);
      assert.equal(whyNoPattern(pattern), null, pattern);
      const isFound = (text: string): boolean => searchFor(pattern).isIn(text, null) === true;
      assert.ok(isFound(call), pattern);
      if (excerpt.length < maxExcerptLength) {
        assert.ok(!isFound(`${call}x`) || /\[(?:secret|address)\]$/u.test(excerpt));
        assert.ok(!isFound(`x\n${call}`) || /^\[(?:secret|address)\]/u.test(excerpt));
      }
    }),
  );
});

test("A scope and an end decide what is excepted, and for how long", () => {
  const now = new Date("2026-11-24T23:30:00").getTime();
  const hit = { rule: "delete-home", excerpt: "rm -rf ~", folder: "/home/mara/app" };
  assert.deepEqual(exceptionFor(hit, { scope: "command", days: 1, now }), {
    rule: "delete-home",
    like: String.raw`(?-i)\Arm -rf ~\z`,
    until: "2026-11-25",
  });
  assert.deepEqual(exceptionFor(hit, { scope: "folder", days: 30, now }), {
    rule: "delete-home",
    folder: "/home/mara/app",
    until: "2026-12-24",
  });
  const command = exceptionFor(hit, { scope: "command", days: 1, now });
  assert.deepEqual(exceptionFor(hit, { scope: "here", days: 1, now }), { ...command, folder: hit.folder });
  assert.deepEqual(exceptionFor(hit, { scope: "everywhere", days: null, now }), { rule: "delete-home" });
  const bare = { ...hit, excerpt: null, folder: null };
  assert.equal(exceptionFor(bare, { scope: "command", days: 1, now }), null);
  assert.equal(exceptionFor(bare, { scope: "here", days: 1, now }), null);
  assert.equal(exceptionFor({ ...hit, folder: null }, { scope: "here", days: 1, now }), null);
  assert.equal(exceptionFor(bare, { scope: "folder", days: 1, now }), null);
});
