import fc from "fast-check";
import assert from "node:assert/strict";
import { test } from "node:test";
import { decideHits } from "../../../../src/engine/guard/calls/calls-handler.ts";
import { readExample } from "../../../../src/engine/guard/calls/example.ts";
import { type GuardRule } from "../../../../src/engine/guard/calls/rule.ts";
import { ruleActions } from "../../../../src/engine/guard/calls/rule-action.ts";
import { judgeBy, usualActions } from "../../../../src/engine/guard/catalogue/judge-all.ts";
import type { HitOutcome } from "../../../../src/engine/guard/delivery.ts";
import { withProject } from "../../../../src/engine/guard/user-rules/apply.ts";
import type { GuardConfig } from "../../../../src/engine/guard/user-rules/config.ts";
import type { TextRule } from "../../../../src/engine/guard/user-rules/text-rule.ts";
import { readConfig } from "../../../../src/engine/guard/user-rules/read-config.ts";
import { testContext } from "../support/shell-context.ts";

const builtIn = ["delete-home", "delete-outside-project", "push-force", "list-everything"].filter((id) =>
  usualActions.has(id),
);
const own = ["own-rule", "other-rule", "own-rule-2", "hookify-own"];
const action = fc.constantFrom(...ruleActions);
const programs = fc.constantFrom("rm", "make", "git", "*", "rm|make");

const rule = fc
  .record({ id: fc.constantFrom(...own), action: fc.option(action, { nil: undefined }), program: programs })
  .map(({ id, action, program }): GuardRule => ({
    id,
    family: "safety",
    action,
    match: [{ program }],
    message: "M.",
    remedy: "",
    fires: [],
    passes: [],
  }));
const textRule = fc
  .record({ rule, pattern: fc.constantFrom("rm", "make|git", ".") })
  .map(({ rule: each, pattern }): TextRule => {
    const tests = [{ field: "command", operator: "regex_match", pattern } as const];
    return { rule: { ...each, match: [] }, on: "command", tests };
  });
const config: fc.Arbitrary<GuardConfig> = fc.record({
  set: fc.dictionary(fc.constantFrom(...builtIn), fc.constantFrom("off" as const, ...ruleActions)),
  exceptions: fc.array(
    fc.record({
      rule: fc.constantFrom(...builtIn, ...own),
      like: fc.option(fc.constantFrom("rm", "make"), { nil: undefined }),
    }),
    { maxLength: 3 },
  ),
  rules: fc.uniqueArray(rule, { maxLength: 4, selector: ({ id }) => id }),
});

const calls = ["rm -rf ~", "rm -rf /opt/app/data", "sudo make deploy", "git push --force origin main", "ls"];
const strength: readonly HitOutcome[] = ["observed", "repeated", "advised", "asked", "denied"];

function outcomes(judge: ReturnType<typeof judgeBy>, call: string, canAsk: boolean): readonly HitOutcome[] {
  return decideHits(judge(readExample(call), testContext, 0), {
    modeOf: () => "on",
    canAsk,
    canDeny: true,
    canAdvise: true,
    isSent: () => false,
    isSilent: () => false,
  }).map(({ done }) => done);
}

test("a project's file never makes a judgement less strict than the user's settings alone", () => {
  fc.assert(
    fc.property(
      config,
      config,
      fc.array(textRule, { maxLength: 2 }),
      fc.constantFrom(...calls),
      fc.boolean(),
      (user, project, imported, call, canAsk) => {
        const both = withProject(user, { ...project, imported }, usualActions);
        const [alone, together] = [judgeBy(user), judgeBy(both)].map((judge) =>
          outcomes(judge, call, canAsk),
        );
        const count = (all: readonly HitOutcome[] | undefined, least: HitOutcome) =>
          (all ?? []).filter((done) => strength.indexOf(done) >= strength.indexOf(least)).length;
        for (const least of strength)
          assert.ok(
            count(together, least) >= count(alone, least),
            `${least}: ${JSON.stringify([alone, together])}`,
          );
        assert.deepEqual(both.exceptions, user.exceptions);
        const ids = [...both.rules, ...(both.imported ?? []).map((each) => each.rule)].map(({ id }) => id);
        assert.equal(new Set(ids).size, ids.length);
      },
    ),
    { numRuns: 150 },
  );
});

test("a project's rules never deny", () => {
  fc.assert(
    fc.property(config, fc.constantFrom(...calls), (project, call) => {
      const user = { set: {}, exceptions: [], rules: [] };
      const judge = judgeBy(withProject(user, { ...project, imported: [] }, usualActions));
      assert.ok(!outcomes(judge, call, true).includes("denied"));
    }),
    { numRuns: 60 },
  );
});

test("a project's slow rules do not delay the answer of the user's", () => {
  const slow = Array.from({ length: 100 }, (_, index): GuardRule => ({
    id: `slow-${index}`,
    family: "safety",
    match: [{ program: "*", text: `(?:\\pL|x${index}){600}z` }],
    message: "M.",
    remedy: "",
    fires: [],
    passes: [],
  }));
  const user = { set: {}, exceptions: [], rules: [] };
  const project = { set: {}, exceptions: [], rules: slow, imported: [] };
  const judge = judgeBy(withProject(user, project, usualActions));
  const call = readExample(`rm -rf ~ ${"abcdefgh".repeat(700)}`);
  judge(call, testContext, 0);
  const began = process.cpuUsage();
  const hits = judge(call, testContext, 0);
  const { user: spent } = process.cpuUsage(began);
  assert.ok(hits.some(({ rule: each }) => each.id === "delete-home"));
  // All of them would take seconds; a test is no place for a finer figure.
  assert.ok(spent < 1_000_000, `${spent / 1000} ms`);
});

test("a rule that the user turned off stays off, and an action can be raised", () => {
  const project = {
    set: { "delete-home": "ask", "delete-outside-project": "ask" },
    exceptions: [],
    rules: [],
    imported: [],
  } as const;
  const user = { set: { "delete-home": "off" }, exceptions: [], rules: [] } as const;
  assert.deepEqual(withProject(user, project, usualActions).set, {
    "delete-home": "off",
    "delete-outside-project": "ask",
  });
});

const checks = {
  scope: "project" as const,
  known: usualActions,
  coded: new Set(["same-failure"]),
  whyNoPattern: () => null,
  firedOn: () => [],
};

test("each part of a project's file that weakens a rule is a fault at its line", () => {
  const rules = Array.from(
    { length: 101 },
    (_, index) => `  - { id: r-${index}, message: M, match: [{ program: x }] }`,
  );
  const cases: [string, RegExp][] = [
    ["set:\n  delete-home: off\n", /^line 2: a project cannot turn delete-home off/u],
    ["set:\n  delete-home: advise\n", /^line 2: a project cannot make delete-home laxer than ask/u],
    ["set:\n  delete-home: deny\n", /^line 2: a project cannot deny \(delete-home\): write ask/u],
    ["set:\n  same-failure: ask\n", /^line 2: same-failure looks at more than one call/u],
    [
      "exceptions:\n  - rule: delete-home\n    like: x\n",
      /^line 2: a project cannot except calls from delete-home/u,
    ],
    [
      "rules:\n  - id: my-rule\n    message: M\n    match: [{ program: x }]\n    action: deny\n",
      /^line 5: a project's rule cannot deny \(my-rule\)/u,
    ],
    [`rules:\n${rules.join("\n")}\n`, /^line 1: a project can have 100 rules/u],
    [`# ${"x".repeat(100_001)}`, /^line 1: it has 100003 characters; at most 100000 are read/u],
  ];
  for (const [text, expected] of cases) {
    const read = readConfig(text, checks);
    assert.ok(!read.ok, text.slice(0, 200));
    assert.match(read.detail.text, expected);
  }
  const good =
    "set: { delete-outside-project: ask }\nrules:\n  - { id: a-b, message: M, match: [{ program: x }] }\n";
  assert.ok(readConfig(good, checks).ok);
});
