import test from "node:test";
import fc from "fast-check";
import { applyAction, selectionOrder, type RuleAction } from "../../../src/engine/rules/action.ts";
import type { Rule, RuleStatus } from "../../../src/engine/rules/rule.ts";
import type { VerdictKind } from "../../../src/engine/verdict/verdict.ts";
import { assert } from "../support/assert-texts.ts";
import { rule, verdict } from "./support/support.ts";

const by = { who: "user", at: 100 };
const approve: RuleAction = { kind: "approve" };
const measured = (kind: VerdictKind, isActivated = false): RuleAction => {
  const stop = kind === "cheaper-not-as-good" ? "futile" : "decided";
  return { kind: "measured", verdict: verdict({ kind, stop }), receiptId: "x", isActivated };
};

function after(start: Rule, ...acts: readonly RuleAction[]): Rule {
  let held = start;
  for (const each of acts) {
    const done = applyAction(held, each, by);
    assert.ok(done.ok, done.ok ? "" : done.detail.text);
    held = done.value.rule;
  }
  return held;
}

test("A candidate enters a memory only after it was approved, measured and admitted", () => {
  const steps: RuleStatus[] = [];
  let held = rule();
  for (const each of [approve, measured("saves"), approve]) {
    held = after(held, each);
    steps.push(held.status);
  }
  assert.deepEqual(steps, ["approved", "measured", "active"]);
  assert.equal(after(rule(), approve, measured("saves", true)).status, "active");
});

test("A candidate cannot be measured", () => {
  const refused = applyAction(rule(), measured("saves"), by);
  assert.equal(refused.ok || refused.reason, "not_possible");
});

for (const [kind, status, ofProtected] of [
  ["saves", "measured", "measured"],
  ["costs", "evicted", "shelved"],
  ["regression", "evicted", "shelved"],
  ["cheaper-not-as-good", "shelved", "shelved"],
  ["undecided", "shelved", "shelved"],
] as const)
  test(`Measured for the first time, ${kind}: ${status}`, () => {
    const approved = rule({ status: "approved" });
    assert.equal(after(approved, measured(kind)).status, status);
    assert.equal(after({ ...approved, isProtected: true }, measured(kind)).status, ofProtected);
  });

test("A re-audit evicts proven costs and broken tasks, never noise, and a protected rule collects strikes", () => {
  const active = rule({ status: "active" });
  assert.equal(after(active, measured("costs")).status, "evicted");
  assert.equal(after(active, measured("undecided"), measured("costs")).status, "evicted");
  assert.equal(after(active, measured("regression")).status, "evicted");
  const isProtected = { ...active, isProtected: true };
  assert.equal(after(isProtected, measured("costs"), measured("costs")).strikes, 2);
  assert.equal(after(isProtected, measured("costs"), measured("saves")).strikes, 0);
  assert.equal(after(isProtected, measured("costs")).status, "active");
  const noise = Array.from({ length: 20 }, () => measured("undecided"));
  assert.equal(after(active, ...noise).status, "active");
});

test("A step records its author, time and reason, with its receipt", () => {
  const done = applyAction(rule({ status: "approved" }), measured("costs"), { who: "purser", at: 7 });
  assert.ok(done.ok);
  assert.deepEqual(done.value.step, {
    at: 7,
    who: "purser",
    from: "approved",
    to: "evicted",
    why: "It saves 10 tokens. (receipt x)",
  });
  assert.deepEqual([done.value.rule.decidedAt, done.value.rule.auditedAt], [7, 7]);
});

test("The user's last step can be taken back, a measurement's cannot", () => {
  const approved = applyAction(rule(), approve, by);
  assert.ok(approved.ok);
  const back = after(approved.value.rule, { kind: "undo", last: approved.value.step });
  assert.equal(back.status, "candidate");
  const shown = applyAction(rule({ status: "approved" }), measured("saves"), by);
  assert.ok(shown.ok);
  assert.equal(applyAction(shown.value.rule, { kind: "undo", last: shown.value.step }, by).ok, false);
  const kept = applyAction(rule(), { kind: "protect", isProtected: true }, by);
  assert.ok(kept.ok);
  assert.equal(after(kept.value.rule, { kind: "undo", last: kept.value.step }).isProtected, false);
});

test("A rejected rule keeps its reason, and may get another chance", () => {
  const rejected = after(rule(), { kind: "reject", why: "too vague" });
  assert.deepEqual([rejected.status, rejected.decidedReason], ["evicted", "rejected: too vague"]);
  assert.equal(after(rejected, approve).status, "approved");
});

test("Whatever happens, only one who passed is ever active, and a protected rule is never evicted by a measurement", () => {
  const acts = fc.oneof(
    fc.constant(approve),
    fc.constant<RuleAction>({ kind: "reject", why: "" }),
    fc.boolean().map((isProtected): RuleAction => ({ kind: "protect", isProtected })),
    fc
      .tuple(
        fc.constantFrom<VerdictKind>("saves", "costs", "cheaper-not-as-good", "regression", "undecided"),
        fc.boolean(),
      )
      .map(([kind, isActivated]) => measured(kind, isActivated)),
  );
  fc.assert(
    fc.property(fc.array(acts, { maxLength: 20 }), (all) => {
      let held = rule();
      let hasPassed = false;
      for (const each of all) {
        const done = applyAction(held, each, by);
        if (!done.ok) continue;
        const { rule: next, step } = done.value;
        if (each.kind === "measured")
          hasPassed = each.verdict.kind === "saves" || (hasPassed && held.status === "active");
        if (next.status === "active") assert.ok(hasPassed);
        if (held.isProtected && each.kind === "measured") assert.notEqual(next.status, "evicted");
        assert.deepEqual([step.from, step.to], [held.status, next.status]);
        held = next;
      }
    }),
  );
});

test("Approved rules are measured first, then the active one with the oldest audit", () => {
  const rules = [
    rule({ id: "a", status: "active", auditedAt: 50 }),
    rule({ id: "b", status: "active", auditedAt: 20 }),
    rule({ id: "c", status: "approved", decidedAt: 90 }),
    rule({ id: "d", status: "candidate" }),
    rule({ id: "e", status: "active", agent: "other" }),
  ];
  assert.deepEqual(
    selectionOrder(rules, "scout").map(({ id }) => id),
    ["c", "b", "a"],
  );
});
