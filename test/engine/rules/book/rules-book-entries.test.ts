import { test } from "node:test";
import { inWords, type Sentence } from "../../../../src/engine/base/language.ts";
import { maxSentenceLength } from "../../../../src/engine/ledger/entries/fields.ts";
import type { RuleRow } from "../../../../src/engine/ledger/questions/rule-book.ts";
import { applyAction, type RuleAction, type RuleStep } from "../../../../src/engine/rules/action.ts";
import { ruleEntries, ruleOfRow, stepOfRow } from "../../../../src/engine/rules/book/rules-book-entries.ts";
import type { Rule } from "../../../../src/engine/rules/rule.ts";
import { assert } from "../../support/assert-texts.ts";
import { inGerman } from "../../support/in-german.ts";
import { rule, verdict } from "../support/support.ts";

const by = { who: "user", at: 100 };

/** Columns of a rule and of its newest step. */
interface Stored {
  readonly decidedReason: string | null;
  readonly why: string;
}

function stored(held: Rule, what: RuleAction): Stored {
  const done = applyAction(held, what, by);
  assert.ok(done.ok, done.ok ? "" : done.detail.text);
  const [entry, step] = ruleEntries(done.value.rule, done.value.step, "s1");
  assert.ok(entry?.kind === "rule" && step?.kind === "rule-step");
  return { decidedReason: entry.decidedReason ?? null, why: step.why };
}

function readStep(why: string): RuleStep {
  const row = { id: "s1", ruleId: "r1", at: 1, who: "user", fromStatus: null, toStatus: "evicted", why };
  const step = stepOfRow(row);
  assert.ok(step !== null);
  return step;
}

function readReason(decidedReason: string | null): Sentence {
  const row: RuleRow = {
    id: "r1",
    agent: "scout",
    body: "Read a file once.",
    status: "evicted",
    scope: null,
    measuredDelta: null,
    contextCost: 10,
    sourceRun: null,
    createdAt: 1,
    decidedAt: 1,
    decidedReason,
    isProtected: false,
    strikes: 0,
    replaces: null,
    origin: "hand",
    source: null,
    auditedAt: null,
  };
  const read = ruleOfRow(row)?.decidedReason;
  assert.ok(read !== null && read !== undefined);
  return read;
}

test(
  "The reason of a rule and of its step is stored as a sentence, and read in the person's language",
  inGerman(() => {
    const { decidedReason, why } = stored(rule({ status: "candidate" }), {
      kind: "reject",
      why: "too vague",
    });
    for (const read of [readReason(decidedReason), readStep(why).why]) {
      assert.equal(read.text, "rejected: too vague");
      assert.equal(inWords(read), "abgelehnt: too vague");
    }
  }),
);

test(
  "So is the reason of a verdict, with its receipt",
  inGerman(() => {
    const measured = verdict({ kind: "saves" });
    const what = { kind: "measured", verdict: measured, receiptId: "cmp-1", isActivated: false } as const;
    const { why } = readStep(stored(rule({ status: "approved" }), what).why);
    assert.match(why, / \(receipt cmp-1\)$/u);
    assert.match(inWords(why), / \(Beleg cmp-1\)$/u);
  }),
);

test(
  "A text that an earlier version stored is shown unchanged, also if it looks like JSON",
  inGerman(() => {
    for (const text of [
      "rejected: too vague",
      "approved",
      "",
      "{0} is no figure",
      "{",
      '{"text":"approved"}',
      '{"text":"approved","key":"approved","values":[{}]}',
    ]) {
      const { why } = readStep(text);
      assert.equal(why, text);
      assert.equal(inWords(why), text);
      assert.equal(inWords(readReason(text)), text);
    }
  }),
);

test("A reason that is too long as a sentence is stored as its English text", () => {
  const why = "vague ".repeat(maxSentenceLength / 8);
  const { decidedReason } = stored(rule({ status: "candidate" }), { kind: "reject", why });
  assert.equal(decidedReason, `rejected: ${why}`);
  assert.equal(readReason(decidedReason), decidedReason);
});
