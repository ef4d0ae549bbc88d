import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { RuleBook } from "../../../../src/engine/ledger/questions/rule-book.ts";
import { applyAction } from "../../../../src/engine/rules/action.ts";
import { applyAmongMany } from "../../../../src/engine/rules/book/after.ts";
import { ruleStatuses } from "../../../../src/engine/rules/rule.ts";
import { rule } from "../support/support.ts";

type ReceiptRow = RuleBook["receipts"][number];

const by = { who: "user", at: 7 };
const receipt = (driver: string, isShared = false): ReceiptRow => ({
  id: "x1",
  at: 3,
  subject: "rule",
  subjectId: "r0000000001",
  verdict: "saves",
  saving: 900,
  driver,
  isShared,
  bar: 60,
  grade: null,
});

function known(status: (typeof ruleStatuses)[number], receipts: readonly ReceiptRow[], others = 0) {
  const more = Array.from({ length: others }, (_, index) => rule({ id: `o${index}`, status: "measured" }));
  const shared = more.map(({ id }) => ({ ...receipt("claude", true), subjectId: id }));
  const book: RuleBook = {
    rules: [],
    steps: [],
    receipts: [...receipts, ...shared],
    memories: [],
    questions: [],
  };
  return { book, rules: [rule({ status }), ...more], stepsOf: () => [] };
}
const done = (kind: "approve" | "letIn", at: ReturnType<typeof known>) =>
  applyAmongMany({ kind }, "r0000000001", at, by);

test("among several, a passed rule is admitted only with a verdict on a model", () => {
  const real = done("letIn", known("measured", [receipt("claude")]));
  assert.equal(real.ok && real.value.rule.status, "active");
  assert.equal(done("letIn", known("measured", [receipt("replay")])).ok, false);
  assert.equal(done("letIn", known("measured", [])).ok, false);
  assert.equal(done("approve", known("measured", [receipt("claude")])).ok, false);
});

test("rules found together are not admitted before they were measured as a whole", () => {
  assert.equal(done("letIn", known("measured", [receipt("claude", true)], 1)).ok, false);
  assert.equal(done("letIn", known("measured", [receipt("claude", true)])).ok, true);
});

test("among several, nothing is possible that is not of a single rule, and only letting in makes a rule active", () => {
  const kinds = fc.constantFrom("approve" as const, "letIn" as const, "reject" as const);
  fc.assert(
    fc.property(fc.constantFrom(...ruleStatuses), kinds, fc.boolean(), (status, kind, isReal) => {
      const at = known(status, [receipt(isReal ? "claude" : "replay")]);
      const many = applyAmongMany(kind === "reject" ? { kind, why: "" } : { kind }, "r0000000001", at, by);
      const alone = kind === "reject" ? { kind, why: "" } : { kind: "approve" as const };
      const single = applyAction(rule({ status }), alone, by);
      if (many.ok) {
        assert.ok(single.ok);
        assert.deepEqual(many.value.rule, single.value.rule);
        assert.equal(many.value.rule.status === "active", kind === "letIn");
      }
    }),
  );
});
