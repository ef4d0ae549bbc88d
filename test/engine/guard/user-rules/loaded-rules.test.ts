import fc from "fast-check";
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import test, { type TestContext } from "node:test";
import { plainSentence } from "../../../../src/engine/base/language.ts";
import { readExample } from "../../../../src/engine/guard/calls/example.ts";
import { whyNoPattern } from "../../../../src/engine/guard/calls/patterns.ts";
import { actionOf } from "../../../../src/engine/guard/calls/rule-action.ts";
import { guardFileAt } from "../../../../src/engine/guard/host/project-files.ts";
import { LoadedRules } from "../../../../src/engine/guard/user-rules/loaded-rules.ts";
import { readConfig } from "../../../../src/engine/guard/user-rules/read-config.ts";
import { testContext } from "../support/shell-context.ts";

const day = (text: string): number => new Date(`${text}T12:00:00`).getTime();

function place(t: TestContext) {
  const folder = mkdtempSync(path.join(os.tmpdir(), "purser-guard-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "guard.yaml");
  const problems: string[] = [];
  let [now, elapsed] = [day("2026-11-20"), 0];
  const rules = new LoadedRules({
    file: guardFileAt(file),
    projectFiles: () => null,
    now: () => now,
    // Each look is late enough for the file to be looked at again.
    elapsed: () => (elapsed += 1001),
    onProblem: (problem) => problems.push(problem.text.replace(file, "guard.yaml")),
  });
  const fired = async (command: string): Promise<string[]> => {
    const hits = await rules.judge(readExample(command), testContext);
    return hits.map(({ rule }) => `${rule.id} ${actionOf(rule)}`);
  };
  return {
    fired,
    isExcepted: (rule: string, text: string) => rules.isExcepted(rule, text, testContext),
    problems,
    write: (text: string) => writeFileSync(file, text),
    wait: (until: number) => (now = until),
  };
}

const ownRule = `
rules:
  - id: no-deploy-on-friday
    match: [{ program: make, words: deploy }]
    message: This deploys.
    action: deny
    fires: [make deploy, sudo make -s deploy]
    passes: [make test]
`;

test("without a file, purser's rules apply", async (t) => {
  const { fired, problems } = place(t);
  assert.deepEqual(await fired("rm -rf ~"), ["delete-home ask"]);
  assert.deepEqual(problems, []);
});

test("the file adds, changes and turns off rules, and is read again when it changes", async (t) => {
  const { fired, write, problems } = place(t);
  write(`${ownRule}set: { delete-home: deny, delete-outside-project: off }\n`);
  assert.deepEqual(await fired("make deploy"), ["no-deploy-on-friday deny"]);
  assert.deepEqual(await fired("rm -rf ~"), ["delete-home deny"]);
  assert.deepEqual(await fired("rm -rf /opt/app/data"), []);
  write("set: { delete-home: advise }\n");
  assert.deepEqual(await fired("make deploy"), []);
  assert.deepEqual(await fired("rm -rf ~"), ["delete-home advise"]);
  assert.deepEqual(problems, []);
});

test("a fault in the file is reported with its line, and the last good rules remain", async (t) => {
  const { fired, write, problems } = place(t);
  write(ownRule);
  assert.deepEqual(await fired("make deploy"), ["no-deploy-on-friday deny"]);
  write("set:\n  delete-home: maybe\n");
  assert.deepEqual(await fired("make deploy"), ["no-deploy-on-friday deny"]);
  assert.equal(problems.length, 1);
  assert.match(problems[0] ?? "", /^guard\.yaml: line 2: set\.delete-home: .*; the last good rules stay$/u);
  // The same fault is not reported again.
  assert.deepEqual(await fired("make deploy"), ["no-deploy-on-friday deny"]);
  assert.equal(problems.length, 1);
});

test("an exception has a pattern, a folder and an end", async (t) => {
  const { fired, write, wait } = place(t);
  write(
    `exceptions:
  - { rule: delete-outside-project, like: ^rm -rf /srv/, folder: ~/shop, until: 2026-12-01 }
  - { rule: delete-home-folder, folder: ~/other }
`,
  );
  assert.deepEqual(await fired("rm -rf /srv/cache"), []);
  assert.deepEqual(await fired("rm -rf /opt/cache"), ["delete-outside-project advise"]);
  assert.deepEqual(await fired("rm -rf ~/Documents"), ["delete-home-folder ask"]);
  wait(day("2026-12-01"));
  assert.deepEqual(await fired("rm -rf /srv/cache"), ["delete-outside-project advise"]);
});

test("off and exceptions apply to rules in code, which say nothing before these are loaded", async (t) => {
  const { fired, isExcepted, write, wait } = place(t);
  assert.equal(isExcepted("delete-home", "make"), false);
  write(
    "set: { delete-home: off }\nexceptions: [{ rule: git-clean-folder, like: ^make, until: 2026-12-01 }]\n",
  );
  // The rules' code is not loaded yet.
  assert.equal(isExcepted("git-clean-folder", "npm test"), true);
  await fired("ls");
  assert.equal(isExcepted("delete-home", "make"), true);
  assert.equal(isExcepted("git-clean-folder", "make it"), true);
  assert.equal(isExcepted("git-clean-folder", "npm test"), false);
  wait(day("2026-12-01"));
  assert.equal(isExcepted("git-clean-folder", "make it"), false);
});

test("a pattern that would be slow is refused", () => {
  assert.equal(whyNoPattern("rm|mv|a{100}"), null);
  assert.match(whyNoPattern(".{0,999}x")?.text ?? "", /^it has 2001 steps; at most 1000/u);
});

const checks = {
  scope: "user" as const,
  known: new Map([["delete-home", "ask" as const]]),
  coded: new Set(["same-failure"]),
  whyNoPattern: (pattern: string) => (pattern.includes("(?=") ? plainSentence("lookahead") : null),
  firedOn: () => [],
};

test("each fault of a file names its line", () => {
  const cases: [string, RegExp][] = [
    ["set: [", /^line \d+: /u],
    ["set: {}\nrulez: []\n", /^line 2: .*rulez/u],
    ["set:\n  delete-home: deny\n  delete-nothing: off\n", /^line 3: there is no rule delete-nothing/u],
    [
      "rules:\n  - id: delete-home\n    message: M\n    match: [{ program: x }]\n",
      /^line 2: there is another rule delete-home/u,
    ],
    [
      "rules:\n  - id: my-rule\n    message: M\n    match:\n      - program: x\n        text: (?=a)\n",
      /^line 6: .*text is no linear/u,
    ],
    [
      "rules:\n  - id: my-rule\n    message: M\n    match: [{ program: x }]\n    fires:\n      - x\n",
      /^line 6: my-rule does not fire on this example/u,
    ],
    [
      "rules:\n  - id: my-rule\n    message: M\n    match: [{ program: x, operand: { path: nowhere } }]\n",
      /^line 4: .*kinds of paths/u,
    ],
    ["set:\n  same-failure: ask\n", /^line 2: same-failure looks at more than one call/u],
    ["exceptions:\n  - rule: delete-home\n    until: soon\n", /^line 3: exceptions\.0\.until/u],
    ["a: &a [1]\nb: *a\n", /^line 1: /u],
  ];
  for (const [text, expected] of cases) {
    const read = readConfig(text, checks);
    assert.ok(!read.ok, text);
    assert.match(read.detail.text, expected);
  }
});

test("rules in code can be off, advise, and have exceptions", () => {
  const text = "set: { same-failure: off }\nexceptions: [{ rule: same-failure }]\n";
  assert.ok(readConfig(text, checks).ok);
  assert.ok(readConfig("set: { same-failure: advise }", checks).ok);
});

test("never throws, whatever the text", () => {
  const piece = fc.constantFrom(
    "set:",
    "rules:",
    "- id: a-b",
    "  ",
    "\n",
    "{",
    "}",
    "[",
    "*a",
    "&a",
    "match:",
    ": ",
    "delete-home",
    "off",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece).map((pieces) => pieces.join("")),
      ),
      (text) => {
        const read = readConfig(text, checks);
        if (!read.ok) assert.match(read.detail.text, /^line \d+: /u);
      },
    ),
  );
});
