import { test } from "node:test";
import assert from "node:assert/strict";
import { judge } from "../../../src/engine/verdict/judge.ts";
import { admit, retain } from "../../../src/engine/verdict/retention.ts";
import type { Verdict } from "../../../src/engine/verdict/verdict.ts";
import { question, steadyRounds } from "./support/samples.ts";

const undecided = judge(steadyRounds(4, 2, [100, 100]), question);
const verdict = (more: Partial<Verdict>): Verdict => ({ ...undecided, ...more });

test("A candidate is admitted when it saves, evicted for a shown fault, and shelved otherwise", () => {
  const cases: readonly [Partial<Verdict>, string][] = [
    [{ kind: "saves" }, "activate"],
    [{ kind: "regression" }, "evict"],
    [{ kind: "costs" }, "evict"],
    [{ kind: "cheaper-not-as-good", stop: "decided" }, "evict"],
    [{ kind: "cheaper-not-as-good", stop: "cap" }, "shelve"],
    [{ kind: "undecided", stop: "futile", belowBar: true }, "evict"],
    [{ kind: "undecided", stop: "futile" }, "shelve"],
    [{ kind: "undecided", stop: "cap" }, "shelve"],
  ];
  for (const [more, action] of cases) assert.equal(admit(verdict(more)).action, action, JSON.stringify(more));
});

test("An active rule is evicted when it is shown not to earn its place, and never for noise", () => {
  assert.deepEqual(retain(verdict({ kind: "regression" }), 0), { action: "evict", strikes: 1 });
  assert.deepEqual(retain(verdict({ kind: "costs" }), 0), { action: "evict", strikes: 1 });
  assert.deepEqual(retain(verdict({ belowBar: true }), 1), { action: "evict", strikes: 2 });
  assert.deepEqual(retain(verdict({ kind: "cheaper-not-as-good", stop: "decided" }), 0).action, "evict");
  for (const kind of ["undecided", "saves"] as const)
    assert.deepEqual(retain(verdict({ kind }), 1), { action: "keep", strikes: 0 });
  let strikes = 0;
  for (let audit = 0; audit < 100; audit += 1) {
    const consequence = retain(verdict({ kind: "undecided", stop: "cap" }), strikes);
    assert.equal(consequence.action, "keep");
    strikes = consequence.strikes;
  }
});
