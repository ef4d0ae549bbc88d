import { plainSentence } from "../../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { succeed } from "../../../../src/engine/base/result.ts";
import type { QuestionName, QuestionParams } from "../../../../src/engine/ledger/questions/questions.ts";
import { benchmarkFindings } from "../../../../src/engine/rules/trial/benchmark.ts";
import { judge } from "../../../../src/engine/verdict/judge.ts";
import { sealReceipt, type ReceiptFacts } from "../../../../src/engine/verdict/receipt/receipt.ts";
import { wilson } from "../../../../src/engine/verdict/statistics/pass-rate.ts";
import { patientBoundaries } from "../../../../src/engine/verdict/statistics/boundaries.ts";
import { appendEntries, open } from "../../ledger/support/support.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { question, steadyRounds } from "../../verdict/support/samples.ts";

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
