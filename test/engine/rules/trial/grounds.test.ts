import test, { type TestContext } from "node:test";
import type { RuleFinding } from "../../../../src/engine/rules/trial/analyse.ts";
import {
  type BenchmarkFinding,
  proofOf,
  type ProofInput,
  benchmarkFindings,
} from "../../../../src/engine/rules/trial/grounds.ts";
import { assert } from "../../support/assert-texts.ts";
import { plainSentence } from "../../../../src/engine/base/language.ts";
import { succeed } from "../../../../src/engine/base/result.ts";
import type { QuestionName, QuestionParams } from "../../../../src/engine/ledger/questions/questions.ts";
import { judge } from "../../../../src/engine/verdict/judge.ts";
import { sealReceipt, type ReceiptFacts } from "../../../../src/engine/verdict/receipt/receipt.ts";
import { wilson } from "../../../../src/engine/verdict/statistics/pass-rate.ts";
import { patientBoundaries } from "../../../../src/engine/verdict/statistics/boundaries.ts";
import { appendEntries, open } from "../../ledger/support/support.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { question, steadyRounds } from "../../verdict/support/samples.ts";

const interval = (value: number, low: number, high: number) => ({ value, low, high, level: 0.9 });
const asManyDone = interval(0, -0.05, 0.05);

function finding(over: Partial<RuleFinding> = {}): RuleFinding {
  return {
    ruleId: "r1",
    verdict: "undecided",
    reason: "not_shown",
    saving: interval(0.09, -0.02, 0.18),
    perSession: interval(0.09, -0.02, 0.18),
    prompts: interval(0, -0.1, 0.1),
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

const side: ReceiptFacts["sides"][0] = {
  label: plainSentence("without the rule"),
  configurationHash: "a1",
  model: "sonnet",
  effort: null,
  figures: null,
};

const verdict = judge(steadyRounds(4, 6, [50_000, 40_000]), question);

function receiptOf(over: Partial<ReceiptFacts["verdict"]> = {}): string {
  const facts: ReceiptFacts = {
    version: 1,
    id: "c1",
    subject: { kind: "rule", id: "r1", title: plainSentence("Read a file once.") },
    at: 5,
    agent: "main",
    sides: [side, side],
    question,
    verdict: { ...verdict, ...over },
    tasks: [],
    suiteHash: "d4",
    fixtureHash: "e5",
    seed: 45,
    driver: "claude",
    recordedBy: [],
    rounds: { own: 6, pooled: 0, from: [] },
    spent: { runs: 48, processingTokens: 1, cacheRead: 1, usd: null },
  };
  return JSON.stringify(sealReceipt(facts));
}

async function findingOf(t: TestContext, json: string, written = "saves") {
  const ledger = await open(t, scratchFolder(t));
  const receipt = { kind: "receipt", id: "c1", subject: "rule", subjectId: "r1", at: 5 } as const;
  await appendEntries(ledger, { ...receipt, verdict: written, json });
  const ask = <Name extends QuestionName>(name: Name, params: QuestionParams<Name>) =>
    Promise.resolve(succeed(ledger.ask(name, params)));
  const found = await benchmarkFindings({ ask }, ledger.ask("ruleBook", null), ["r1", "r2"]);
  assert.ok(found.ok);
  assert.equal(found.value.get("r2"), undefined);
  return found.value.get("r1");
}

test("The newest receipt gives the benchmark's result, at the boundary of its interval", async (t) => {
  const found = await findingOf(t, receiptOf());
  assert.deepEqual(found?.saving?.saving, verdict.savingShare);
  const own = patientBoundaries(question.alpha, question.plannedRounds ?? question.maxRounds).at(6);
  assert.ok(Math.abs(found.saving.boundary - own) < 1e-9);
  // One that was written when errors were spent otherwise.
  for (const boundary of [1.7, 3.1]) {
    const [before, after] = verdict.passed.map(({ passed, runs }) => {
      const rate = { value: passed / runs, ...wilson(passed, runs, boundary), level: 0.9 };
      return { passed, runs, rate };
    });
    assert.ok(before && after);
    const older = await findingOf(t, receiptOf({ passed: [before, after] }));
    assert.ok(Math.abs((older?.saving?.boundary ?? 0) - boundary) < 1e-9, String(boundary));
  }
});

test("A changed receipt gives no figure, and hides no fault in the ledger", async (t) => {
  const changed = receiptOf().replace('"seed":45', '"seed":46');
  for (const json of [changed, "", "{}"]) {
    const found = await findingOf(t, json, "costs");
    assert.deepEqual([found?.verdict, found?.saving], ["costs", null], json.slice(0, 20));
  }
  assert.equal(await findingOf(t, "", "a verdict of another version"), undefined);
});

test("A saving shown to be less than its rent requires is reported as such", async (t) => {
  assert.equal((await findingOf(t, receiptOf()))?.belowBar, false);
  assert.equal((await findingOf(t, receiptOf({ kind: "undecided", belowBar: true })))?.belowBar, true);
});
