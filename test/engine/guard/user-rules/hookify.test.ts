import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readExample } from "../../../../src/engine/guard/calls/example.ts";
import { readHookify } from "../../../../src/engine/guard/user-rules/hookify.ts";
import { matchingEffort } from "../../../../src/engine/guard/effort.ts";
import { hitsOfText } from "../../../../src/engine/guard/user-rules/text-rule.ts";

function fired(head: string, call: string, name = "hookify.rm.local.md"): string[] {
  const { rule, faults } = readHookify(`---\n${head}\n---\n\nMind **this**.\n\nAnd that.\n`, name);
  assert.deepEqual(faults, []);
  return rule === null
    ? []
    : hitsOfText([rule], readExample(call), matchingEffort()).map(
        (hit) => `${hit.rule.id} ${hit.rule.action}`,
      );
}

test("a pattern of the event bash matches the written command, in any case", () => {
  const head = "name: warn-rm\nenabled: true\nevent: bash\npattern: rm\\s+-rf|dd\\s+if=";
  assert.deepEqual(fired(head, "cd x && RM  -rf ."), ["hookify-warn-rm advise"]);
  assert.deepEqual(fired(head, "echo 'rm -rf'"), ["hookify-warn-rm advise"]);
  assert.deepEqual(fired(head, "rm -r ."), []);
  assert.deepEqual(fired(head, "Write(a.txt) <<< rm -rf"), []);
});

test("block denies, ask asks, and a disabled rule does nothing", () => {
  const head = (rest: string) => `name: no-rm\nevent: bash\npattern: "rm "\n${rest}`;
  assert.deepEqual(fired(head("action: block"), "rm x"), ["hookify-no-rm deny"]);
  assert.deepEqual(fired(head("action: ask"), "rm x"), ["hookify-no-rm ask"]);
  assert.deepEqual(fired(head("enabled: false"), "rm x"), []);
  const { rule } = readHookify(
    "---\nevent: bash\npattern: x\n---\nHm.\n\n**Stop**",
    "hookify.My rule!.local.md",
  );
  assert.deepEqual([rule?.rule.id, rule?.rule.message], ["hookify-my-rule", "Hm.\n**Stop**"]);
});

test("all conditions must match, also for files", () => {
  const head = [
    "name: keys",
    "event: file",
    "conditions:",
    "  - field: file_path",
    "    operator: ends_with",
    "    pattern: .env",
    "  - field: new_text, operator: contains, pattern: KEY",
    "  - field: content",
    "    operator: not_contains",
    '    pattern: "test: yes"',
  ].join("\n");
  assert.deepEqual(fired(head, "Write(/a/.env) <<< KEY=1"), ["hookify-keys advise"]);
  assert.deepEqual(fired(head, "Write(/a/.env) <<< KEY=1 test: yes"), []);
  assert.deepEqual(fired(head, "Write(/a/env) <<< KEY=1"), []);
  assert.deepEqual(fired(head, "Read(/a/.env)"), []);
});

test("reports what cannot be imported, with line and reason", () => {
  const cases: [string, RegExp][] = [
    ["no head", /^1 it has no head/u],
    [
      "---\nname: x\nevent: stop\npattern: .*\n---\nM",
      /^3 guard rules are about calls of tools, not about stop/u,
    ],
    ["---\nevent: prompt\npattern: x\n---\nM", /^2 guard rules are about calls/u],
    ["---\nevent: bash\npattern: a(?=b)\n---\nM", /^3 its pattern is Python's, and no linear/u],
    ["---\nevent: bash\npattern: (a)\\1\n---\nM", /^3 its pattern is Python's/u],
    ["---\nevent: bash\n---\nM", /^1 it has neither a pattern nor conditions/u],
    ["---\nevent: bash\npattern: x\n---\n", /^1 it says nothing/u],
    ["---\nevent: bash\naction: shout\npattern: x\n---\nM", /^3 there is no action shout/u],
    ["---\nevent: file\nconditions:\n  - field: old_text\n    pattern: x\n---\nM", /^4 the field old_text/u],
    [
      "---\nevent: bash\nconditions:\n- field: file_path\n  pattern: x\n---\nM",
      /^4 an event bash has no field/u,
    ],
    ["---\nevent: bash\ntool_matcher: Bash\npattern: x\n---\nM", /^3 tool_matcher is not imported/u],
  ];
  for (const [text, expected] of cases) {
    const { rule, faults } = readHookify(text, "hookify.x.local.md");
    assert.equal(rule, null, text);
    assert.match(faults.map(({ line, message }) => `${line} ${message.text}`).join("\n"), expected);
  }
});

test("understands Python's end of a text", () => {
  assert.deepEqual(fired("event: bash\npattern: ^ls\\Z", "ls"), ["hookify-rm advise"]);
  assert.deepEqual(fired("event: bash\npattern: ^ls\\Z", "ls x"), []);
});

test("never throws, and each fault has a line", () => {
  const piece = fc.constantFrom(
    "---",
    "\n",
    "event: ",
    "bash",
    "file",
    "conditions:",
    "- field: command",
    "  ",
    "pattern: ",
    "(",
    "[",
    "a",
    ",",
    "operator: contains",
    "\r\n",
    "enabled: false",
    "'",
    '"',
    ":",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece, { maxLength: 30 }).map((all) => `---\n${all.join("")}\n---\nM`),
      ),
      (text) => {
        const { rule, faults } = readHookify(text, "hookify.x.local.md");
        for (const { line } of faults) assert.ok(line >= 1);
        if (rule !== null) hitsOfText([rule], readExample("make"), matchingEffort());
      },
    ),
  );
});
