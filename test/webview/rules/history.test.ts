import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import test from "node:test";
import { applyAction, type RuleAction } from "../../../src/engine/rules/action.ts";
import { propose } from "../../../src/engine/rules/distil/propose.ts";
import type { Rule } from "../../../src/engine/rules/rule.ts";
import { describeStep } from "../../../src/webview/rules/history.ts";

const by = { who: "user", at: 1 };
const sentence = "Read a file once and work from what you saw.";

/** The words of a step that an action takes, as the engine writes it. */
function described(rule: Rule, action: RuleAction): string {
  const done = applyAction(rule, action, by);
  assert.ok(done.ok, done.ok ? "" : done.detail.text);
  return describeStep(done.value.step);
}

function made(origin: Rule["origin"], replaces: string | null = null) {
  const done = propose({ agent: "scout", text: sentence, origin, source: null, replaces }, [], {
    ...by,
    rent: () => 12,
  });
  assert.ok(done.ok);
  return done.value;
}

test("describes each step of a person as their action", () => {
  const { rule, step } = made("hand");
  const words = [
    describeStep(step),
    describeStep(made("import").step),
    describeStep(made("hand", "r1").step),
    described(rule, { kind: "approve" }),
    described({ ...rule, status: "measured" }, { kind: "approve" }),
    described({ ...rule, status: "shelved" }, { kind: "approve" }),
    described({ ...rule, status: "evicted" }, { kind: "approve" }),
    described(rule, { kind: "reject", why: "" }),
    described(rule, { kind: "reject", why: "too vague" }),
    described(rule, { kind: "replaced", by: "r2" }),
    described(rule, { kind: "protect", isProtected: true }),
    described({ ...rule, isProtected: true }, { kind: "protect", isProtected: false }),
    described(
      { ...rule, status: "approved" },
      {
        kind: "undo",
        last: { at: 1, who: "user", from: "candidate", to: "approved", why: plainSentence("approved") },
      },
    ),
  ];
  assert.deepEqual(words, [
    "You added it",
    "You imported it from a file",
    "You reworded another rule",
    "You approved it for measuring",
    "You added it to the agent's memory",
    "You asked to measure it again",
    "You gave it another chance",
    "You rejected it",
    "You rejected it: too vague",
    "You reworded it; another rule takes its place",
    "You protected it: it is never removed by a measurement",
    "You no longer protect it",
    "You undid a step: approved",
  ]);
});

test("a measurement's step leaves its figures to the evidence, and a setting's step names its owner", () => {
  const at = { at: 1, from: "approved" as const };
  const measured = {
    ...at,
    who: "purser",
    to: "shelved" as const,
    why: plainSentence("It is undecided. (receipt x)"),
  };
  assert.match(describeStep(measured), /: measured$/u);
  assert.equal(
    describeStep({
      ...at,
      from: "candidate",
      who: "setting",
      to: "approved",
      why: plainSentence("approved"),
    }),
    "By your setting: approved it for measuring",
  );
});

test("the text of a step that an earlier version stored is understood", () => {
  const at = { at: 1, who: "user", from: "candidate" } as const;
  assert.deepEqual(
    [
      describeStep({ ...at, to: "evicted", why: plainSentence("rejected: too vague") }),
      describeStep({ ...at, to: "evicted", why: plainSentence("edited: r2 takes its place") }),
      describeStep({ ...at, to: "candidate", why: plainSentence("taken back: approved") }),
    ],
    [
      "You rejected it: too vague",
      "You reworded it; another rule takes its place",
      "You undid a step: approved",
    ],
  );
});
