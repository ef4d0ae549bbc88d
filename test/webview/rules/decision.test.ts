import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import fc from "fast-check";
import type { RuleView } from "../../../src/engine/rules/rules-answers.ts";
import { groupsOf, listedRules, moved, tabIn, tabOf } from "../../../src/webview/rules/list/list-entries.ts";
import type { Model } from "../../../src/webview/rules/page-model.ts";
import { firstModel, applyMessage } from "../../../src/webview/rules/rules-model.ts";
import { decidingOf } from "../../../src/webview/rules/decision.ts";
import { firstState } from "../../../src/webview/rules/rules-protocol.ts";
import { makeRule } from "./fixtures.ts";

const statuses = ["candidate", "approved", "measured", "active", "shelved", "evicted"] as const;
const books = fc
  .array(fc.constantFrom(...statuses), { minLength: 1, maxLength: 12 })
  .map((all) => all.map((status, index) => makeRule({ id: `r${index}`, status, createdAt: index })));
const decisions = fc.constantFrom({ kind: "approve" } as const, { kind: "reject", why: "" } as const);

const withRules = (rules: RuleView[], model: Model = firstModel(firstState)): Model =>
  applyMessage(model, { type: "rules", view: { rules, memories: [] } });
/** A rule as the service answers it after a decision. */
function decided(rule: RuleView, kind: "approve" | "reject"): RuleView {
  const approved = {
    candidate: "approved",
    approved: "approved",
    measured: "active",
    active: "active",
    shelved: "approved",
    evicted: "approved",
  } as const;
  return { ...rule, status: kind === "reject" ? "evicted" : approved[rule.status] };
}
const isWaiting = ({ status }: RuleView) => status === "candidate" || status === "measured";
const done = { type: "done", message: "done", follow: null } as const;

describe("after a decision", () => {
  it("selects the next waiting rule of the tab, else the decided one if it stays there, else the next one", () => {
    fc.assert(
      fc.property(books, fc.nat(), decisions, fc.func(fc.boolean()), (rules, at, act, isGone) => {
        const rule = rules[at % rules.length];
        assert.ok(rule !== undefined);
        const order = groupsOf(rules, tabOf(rule)).flatMap((group) => group.rules);
        const before = applyMessage(withRules(rules), { type: "show", place: { kind: "rule", id: rule.id } });
        const deciding = decidingOf(before, rule, act);
        // Other rules may be decided elsewhere before the service answers.
        const left = rules
          .filter(({ id }) => id === rule.id || !isGone(id))
          .map((each) => (each === rule ? decided(rule, act.kind) : each));
        const after = applyMessage(withRules(left, { ...before, deciding }), done);
        const here = order.indexOf(rule);
        const others = [...order.slice(here + 1), ...order.slice(0, here)].filter((each) =>
          left.includes(each),
        );
        const stays = tabOf(decided(rule, act.kind)) === tabOf(rule) ? rule : undefined;
        const expected = others.find(isWaiting) ?? stays ?? others[0];
        const place = expected === undefined ? null : { kind: "rule", id: expected.id };
        assert.deepEqual(after.kept.place, place);
        assert.equal(tabIn(after), tabOf(rule), "the tab stays");
        assert.deepEqual(after.decided, [rule.id]);
      }),
    );
  });

  it("that failed, what was chosen stays, and nothing was decided", () => {
    const rules = [makeRule({ id: "r1" }), makeRule({ id: "r2" })];
    const [rule = makeRule()] = rules;
    const model = withRules(rules);
    const deciding = decidingOf(model, rule, { kind: "approve" });
    const after = applyMessage(
      applyMessage({ ...model, deciding }, { type: "error", message: "locked" }),
      done,
    );
    assert.deepEqual(after.kept.place, model.kept.place);
    assert.deepEqual(after.decided, []);
  });

  it("selects no other rule after an action such as protecting", () => {
    const rule = makeRule();
    assert.equal(decidingOf(withRules([rule]), rule, { kind: "protect", isProtected: true }), null);
  });
});

describe("moving through the list", () => {
  it("reaches every entry from the first, and each end by one key", () => {
    fc.assert(
      fc.property(books, (rules) => {
        let model = withRules(rules);
        const places = listedRules(model).map(({ id }) => ({ kind: "rule", id }));
        const seen = [model.kept.place];
        for (let next = moved(model, 1); next !== null; next = moved(model, 1)) {
          seen.push(next);
          model = { ...model, kept: { ...model.kept, place: next } };
        }
        assert.deepEqual(seen, places);
        const first = moved(model, "first");
        assert.deepEqual(first ?? model.kept.place, places[0]);
        assert.deepEqual(moved(model, -1000) ?? model.kept.place, places[0]);
      }),
    );
  });
});

test("a new rule that is shown before it is known chooses its tab", () => {
  const active = makeRule({ id: "a", status: "active" });
  const inMemory = applyMessage(withRules([active]), { type: "show", place: { kind: "rule", id: "a" } });
  assert.equal(tabIn(inMemory), "memory");
  const shown = applyMessage(inMemory, { type: "show", place: { kind: "rule", id: "new" } });
  assert.equal(tabIn(shown), "memory");
  assert.equal(tabIn(withRules([active, makeRule({ id: "new" })], shown)), "waiting");
});
