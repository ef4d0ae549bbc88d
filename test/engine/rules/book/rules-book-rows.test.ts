import { plainSentence } from "../../../../src/engine/base/language.ts";
import test from "node:test";
import fc from "fast-check";
import type { RuleBook, RuleRow } from "../../../../src/engine/ledger/questions/rule-book.ts";
import { applyAction, type RuleAction, type RuleStep } from "../../../../src/engine/rules/action.ts";
import { ruleEntries } from "../../../../src/engine/rules/book/rules-book-entries.ts";
import { rulesInBook } from "../../../../src/engine/rules/book/rules-book-rows.ts";
import type { Rule } from "../../../../src/engine/rules/rule.ts";
import type { Verdict } from "../../../../src/engine/verdict/verdict.ts";
import { assert } from "../../support/assert-texts.ts";
import { rule, verdict } from "../support/support.ts";

/** A rule book as an older purser wrote it, which treated replays as measurements. */
class OldBook {
  #rule: Rule = rule({ status: "candidate" });
  readonly #steps: RuleStep[] = [];
  readonly #receipts: RuleBook["receipts"][number][] = [];

  constructor() {
    this.take({ kind: "approve" });
  }

  get written(): Rule {
    return this.#rule;
  }

  measured(driver: "claude" | "replay", over: Partial<Verdict>, isActivated = false): this {
    const reported = verdict({ saving: { value: 900, low: 1, high: 2, level: 0.9 }, ...over });
    const id = `x-${this.#receipts.length + 1}`;
    this.#receipts.unshift({
      id,
      subject: "rule",
      subjectId: this.#rule.id,
      at: this.#receipts.length + 10,
      verdict: reported.kind,
      driver,
      saving: reported.saving?.value ?? null,
      isShared: false,
      bar: null,
      grade: null,
    });
    return this.take({ kind: "measured", verdict: reported, receiptId: id, isActivated }, "purser");
  }

  take(what: RuleAction, who = "user"): this {
    const done = applyAction(this.#rule, what, { who, at: this.#steps.length + 1 });
    assert.ok(done.ok, done.ok ? "" : done.detail.text);
    const { rule: after, step } = done.value;
    // When replays still counted, an active rule left at the second strike in a row, or for a broken task.
    const isFirstStrike =
      what.kind === "measured" &&
      this.#rule.status === "active" &&
      after.strikes < 2 &&
      what.verdict.kind !== "regression";
    const status = isFirstStrike ? "active" : after.status;
    this.#rule = { ...after, status };
    this.#steps.push({ ...step, to: status });
    return this;
  }

  read(): Rule {
    const [found] = rulesInBook({
      rules: [rowOf(this.#rule)],
      steps: this.#steps.map(({ at, who, from, to, why }, index) => ({
        id: String(index),
        ruleId: this.#rule.id,
        at,
        who,
        fromStatus: from,
        toStatus: to,
        why: why.text,
      })),
      receipts: this.#receipts,
    });
    assert.ok(found);
    return found;
  }
}

function rowOf(written: Rule): RuleRow {
  const step = { at: 1, who: "user", from: null, to: written.status, why: plainSentence("") };
  const [entry] = ruleEntries(written, step, "1");
  assert.ok(entry?.kind === "rule");
  return {
    id: written.id,
    agent: written.agent,
    body: written.sentence,
    status: written.status,
    scope: null,
    measuredDelta: written.saving,
    contextCost: written.rent,
    sourceRun: null,
    createdAt: 1,
    decidedAt: written.decidedAt,
    decidedReason: written.decidedReason?.text ?? null,
    isProtected: written.isProtected,
    strikes: written.strikes,
    replaces: null,
    origin: "hand",
    source: null,
    auditedAt: written.auditedAt,
  };
}

const bad = { kind: "costs" } as const;
const good = { kind: "saves" } as const;

test("Rules that a replay evicted, shelved or passed are approved and still to be measured", () => {
  for (const [over, was] of [
    [bad, "evicted"],
    [{ kind: "undecided" } as const, "shelved"],
    [good, "measured"],
  ] as const) {
    const book = new OldBook().measured("replay", over);
    assert.equal(book.written.status, was);
    const healed = book.read();
    assert.deepEqual(
      [healed.status, healed.saving, healed.auditedAt, healed.strikes],
      ["approved", null, null, 0],
    );
    assert.match(healed.decidedReason ?? "", /says nothing about a model/u);
  }
});

test("A rule that a replay admitted stays in its agent's memory, unmeasured", () => {
  const approvedByUser = new OldBook().measured("replay", good).take({ kind: "approve" });
  for (const book of [approvedByUser, new OldBook().measured("replay", good, true)]) {
    const healed = book.read();
    assert.deepEqual([healed.status, healed.saving, healed.auditedAt], ["active", null, null]);
  }
  assert.equal(approvedByUser.take({ kind: "undo", last: lastOf(approvedByUser) }).read().status, "approved");
});

test("An active rule that replays struck or evicted keeps the result of real runs", () => {
  const book = new OldBook().measured("claude", good, true).measured("replay", bad);
  assert.equal(book.written.strikes, 1);
  const struck = book.read();
  assert.deepEqual([struck.status, struck.strikes, struck.saving, struck.auditedAt], ["active", 0, 900, 10]);
  const evicted = new OldBook()
    .measured("claude", good, true)
    .measured("replay", bad)
    .measured("replay", bad);
  assert.equal(evicted.written.status, "evicted");
  assert.deepEqual([evicted.read().status, evicted.read().saving], ["approved", 900]);
  const half = new OldBook().measured("claude", good, true).measured("replay", bad).measured("claude", bad);
  assert.equal(half.written.status, "evicted");
  assert.equal(half.read().status, "approved", "one of its two strikes was a replay's");
});

test("Decisions of people and real runs stay, whatever was replayed before", () => {
  const rejected = new OldBook().measured("replay", good).take({ kind: "reject", why: "not here" });
  assert.deepEqual(
    [rejected.read().status, rejected.read().decidedReason],
    ["evicted", "rejected: not here"],
  );
  const again = new OldBook().measured("replay", bad).take({ kind: "approve" }).measured("claude", bad);
  assert.equal(again.read().status, "evicted");
  const broke = new OldBook()
    .measured("claude", good, true)
    .measured("replay", bad)
    .measured("claude", { kind: "regression" });
  assert.equal(broke.read().status, "evicted", "a task that breaks evicts at once");
  const saved = new OldBook()
    .measured("replay", bad)
    .take({ kind: "approve" })
    .measured("claude", good, true);
  assert.deepEqual([saved.read().status, saved.read().saving], ["active", 900]);
});

test("A book without replays is read as written, and no replay has an effect in one with them", () => {
  const kinds = ["saves", "costs", "regression", "undecided", "cheaper-not-as-good"] as const;
  const happening = fc.oneof(
    fc.record({
      driver: fc.constantFrom("claude", "replay"),
      kind: fc.constantFrom(...kinds),
      isActivated: fc.boolean(),
    }),
    fc.constantFrom("approve", "reject", "protect"),
  );
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 12 }), (happenings) => {
      const book = new OldBook();
      const real: number[] = [];
      let [replays, measured] = [0, 0];
      for (const each of happenings) {
        const { status } = book.written;
        if (typeof each === "string") {
          if (each === "approve" && ["candidate", "measured", "shelved", "evicted"].includes(status))
            book.take({ kind: "approve" });
          if (each === "reject" && status !== "evicted") book.take({ kind: "reject", why: "" });
          if (each === "protect") book.take({ kind: "protect", isProtected: !book.written.isProtected });
        } else if (status === "approved" || status === "active") {
          measured += 1;
          if (each.driver === "replay") replays += 1;
          else real.push(1000 + measured);
          const value = 1000 + measured;
          const saving = { value, low: 1, high: 2, level: 0.9 };
          book.measured(each.driver, { kind: each.kind, saving }, each.isActivated);
        }
      }
      const read = book.read();
      if (replays === 0) assert.deepEqual(read, { ...book.written, source: null });
      assert.equal(read.saving, real.at(-1) ?? null);
      if (real.length === 0) {
        assert.ok(!["measured", "shelved"].includes(read.status), read.status);
        assert.equal(read.strikes, 0);
        if (read.status === "evicted") assert.match(read.decidedReason ?? "", /^rejected/u);
      }
      // Reading never adds a rule to the memory.
      if (read.status === "active") assert.equal(book.written.status, "active");
    }),
  );
});

function lastOf(book: OldBook): RuleStep {
  return {
    at: 9,
    who: "user",
    from: "measured",
    to: book.written.status,
    why: plainSentence("let into the agent's memory"),
  };
}
