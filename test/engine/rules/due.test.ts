import assert from "node:assert/strict";
import { test } from "node:test";
import { capOf, dueRules } from "../../../src/engine/rules/due.ts";
import type { RuleStatus } from "../../../src/engine/rules/rule.ts";
import type { GradeView } from "../../../src/engine/verdict/verdict-answers.ts";

const day = 86_400_000;
const now = 1000 * day;
const grade = (perSession: number, over: Partial<GradeView> = {}): GradeView => ({
  grade: "none",
  share: 0.02,
  ofNothing: 0.5,
  ofHarm: 0.3,
  perSession,
  use: { perWeek: 25, weeks: 20 },
  paid: null,
  ms: 0,
  spent: { processingTokens: 500_000, usd: null },
  ...over,
});
const due = (
  rule: { readonly status: RuleStatus; readonly expected?: GradeView },
  measured: readonly { readonly model?: string; readonly age: number; readonly driver?: string }[],
) =>
  dueRules({
    rules: [{ id: "r", agent: "backend", ...rule }],
    evidence: measured.map(({ model = "sonnet", driver = "claude", age }) => ({
      ruleId: "r",
      model,
      driver,
      at: now - age * day,
    })),
    agent: "backend",
    model: "sonnet",
    now,
  }).map(({ why }) => why.text);

test("An active rule is due if nothing that was measured of it counts any more", () => {
  const active = { status: "active" } as const;
  assert.deepEqual(due(active, [{ age: 10 }]), []);
  assert.deepEqual(due(active, [{ age: 400 }, { age: 179 }]), []);
  assert.deepEqual(due(active, [{ age: 181 }]), ["what was measured is older than half a year"]);
  assert.deepEqual(due(active, [{ age: 1, model: "opus" }]), ["the model changed from opus to sonnet"]);
  assert.deepEqual(due(active, []), ["it was never measured with a model"]);
  assert.deepEqual(due(active, [{ age: 1, driver: "replay" }]), ["it was never measured with a model"]);
  assert.deepEqual(due({ status: "approved" }, []), []);
});

test("A shelved rule is due if it may earn more than its last measurement took", () => {
  const shelved = (expected?: GradeView) =>
    due({ status: "shelved", ...(expected === undefined ? {} : { expected }) }, []);
  assert.match(shelved(grade(1200))[0] ?? "", /^it may earn 600k tokens .* measuring it took 500k$/u);
  assert.deepEqual(shelved(grade(900)), []);
  assert.deepEqual(shelved(grade(-5000)), []);
  assert.deepEqual(shelved(grade(1200, { use: null })), []);
  assert.deepEqual(shelved(), []);
  assert.deepEqual(due({ status: "evicted", expected: grade(9000) }, []), []);
});

test("The cap keeps to the smaller of what is allowed in tokens and in money", () => {
  const plan = { tokens: 500_000, usd: 4 };
  assert.equal(capOf({ tokens: 2_000_000, usd: null }, plan), 2_000_000);
  assert.equal(capOf({ tokens: 2_000_000, usd: 5 }, plan), 625_000);
  assert.equal(capOf({ tokens: 600_000, usd: 5 }, plan), 600_000);
  assert.equal(capOf({ tokens: null, usd: 5 }, plan), 625_000);
  // A limit in money cannot be kept without a price.
  assert.equal(capOf({ tokens: 600_000, usd: 5 }, { ...plan, usd: null }), null);
  assert.equal(capOf({ tokens: null, usd: null }, plan), null);
});
