import test from "node:test";
import type { RuleFinding } from "../../../../src/engine/rules/trial/analyse.ts";
import type { BenchmarkFinding } from "../../../../src/engine/rules/trial/benchmark.ts";
import { proofOf, type ProofInput } from "../../../../src/engine/rules/trial/grounds.ts";
import { assert } from "../../support/assert-texts.ts";

const interval = (value: number, low: number, high: number) => ({ value, low, high, level: 0.9 });
const asManyDone = interval(0, -0.05, 0.05);

function finding(over: Partial<RuleFinding> = {}): RuleFinding {
  return {
    ruleId: "r1",
    verdict: "undecided",
    reason: "not_shown",
    saving: interval(0.09, -0.02, 0.18),
    boundary: 2,
    sessions: [90, 90],
    completed: asManyDone,
    uncorrected: asManyDone,
    ...over,
  };
}

function benchmark(over: Partial<BenchmarkFinding> = {}): BenchmarkFinding {
  const saving = { saving: interval(0.1, -0.01, 0.2), boundary: 2 };
  return { receiptId: "c1", at: 1, verdict: "undecided", belowBar: false, saving, ...over };
}

const shown = finding({ verdict: "saves", reason: null, saving: interval(0.12, 0.04, 0.2) });

function proof(over: Partial<ProofInput> = {}) {
  const rule = { status: "approved" as const, rent: 60 };
  return proofOf({ rule, finding: finding(), benchmark: undefined, sessionTokens: 50_000, ...over });
}

test("Evidence from real work admits a rule alone, or together with the benchmark", () => {
  assert.deepEqual(proof({ finding: shown }), { together: null, basis: "real-work", missing: null });
  assert.deepEqual(proof(), { together: null, basis: null, missing: "not shown to save yet" });
  const both = proof({ benchmark: benchmark() });
  assert.equal(both.basis, "both");
  assert.ok(both.together !== null && both.together.low > 0 && both.together.value < 0.1);
  assert.equal(proof({ finding: shown, benchmark: benchmark() }).basis, "real-work");
});

test("Nothing that either shows against a rule is outweighed", () => {
  for (const verdict of ["regression", "costs", "cheaper-not-as-good"] as const)
    assert.equal(
      proof({ finding: shown, benchmark: benchmark({ verdict }) }).missing,
      "its benchmark shows a fault",
    );
  const little = benchmark({ belowBar: true });
  assert.equal(proof({ finding: shown, benchmark: little }).missing, "its benchmark shows a fault");
  const costs = finding({ verdict: "costs", reason: null, saving: interval(-0.1, -0.2, -0.01) });
  const strong = benchmark({ verdict: "saves", saving: { saving: interval(0.1, 0.08, 0.12), boundary: 2 } });
  assert.equal(proof({ finding: costs, benchmark: strong }).basis, null);
  const corrected = finding({ uncorrected: interval(-0.3, -0.5, -0.1) });
  assert.match(
    proof({ finding: corrected, benchmark: benchmark() }).missing?.text ?? "",
    /not shown that no more prompts correct the agent/u,
  );
  const undone = finding({ completed: interval(-0.3, -0.5, -0.1) });
  assert.match(proof({ finding: undone, benchmark: benchmark() }).missing?.text ?? "", /no more prompts/u);
  assert.match(
    proof({ finding: finding({ completed: null }), benchmark: benchmark() }).missing?.text ?? "",
    /no more/u,
  );
  const apart = benchmark({ saving: { saving: interval(-0.3, -0.35, -0.25), boundary: 2 } });
  assert.deepEqual(proof({ benchmark: apart }).together, null);
});

test("A saving must pay the rent once more, and the rule be one that may be tried", () => {
  assert.equal(proof({ finding: shown, sessionTokens: 400 }).missing, "it saves less than twice its rent");
  assert.equal(proof({ finding: shown, sessionTokens: 501 }).basis, "real-work");
  assert.equal(proof({ finding: shown, sessionTokens: null }).basis, null);
  for (const status of ["candidate", "active", "evicted"] as const)
    assert.equal(proof({ finding: shown, rule: { status, rent: 1 } }).missing, `the rule is ${status}`);
  assert.equal(proof({ finding: shown, rule: undefined }).missing, "the rule is gone");
});
