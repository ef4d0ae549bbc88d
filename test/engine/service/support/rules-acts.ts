import { plainSentence } from "../../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { succeed } from "../../../../src/engine/base/result.ts";
import type { RequestResult } from "../../../../src/engine/protocol/peer.ts";
import type { RuleView } from "../../../../src/engine/rules/rules-answers.ts";
import type { ServiceClient } from "../../../../src/engine/service/client.ts";
import type { RequestAnswer, RequestParams } from "../../../../src/engine/jobs/all-requests.ts";
import { sealReceipt, type ReceiptFacts } from "../../../../src/engine/verdict/receipt/receipt.ts";

/** The rule that most tests use. */
export const sentence = "Read a file once and work from what you saw.";

/** Adds a handwritten candidate with this sentence; returns its id. */
export async function added(client: ServiceClient, text: string): Promise<string> {
  const made = await client.ask("rulesPropose", {
    agent: "scout",
    origin: "hand",
    rules: [{ text, source: null }],
  });
  assert.ok(made.ok, made.ok ? "" : made.detail.text);
  const [first] = made.value.proposed;
  assert.ok(first?.id, first?.refused?.text ?? "");
  return first.id;
}

/** Applies a person's decision; returns the rule afterwards, as the ledger has it. */
export async function decided(client: ServiceClient, asked: RequestParams<"rulesAct">): Promise<RuleView> {
  const done = await client.ask("rulesAct", asked);
  assert.ok(done.ok, done.ok ? "" : done.detail.text);
  const { id, why, memory, view, revision } = done.value;
  const read = await client.ask("rulesRead", { root: asked.root });
  assert.deepEqual(read, succeed({ view, revision }));
  const rule = view.rules.find((each) => each.id === id);
  assert.ok(rule !== undefined);
  assert.deepEqual([memory, why], [null, rule.steps.at(-1)?.why]);
  return rule;
}

/** Submits a measurement; returns the rule afterwards. */
export async function acted(doing: Promise<RequestResult<RequestAnswer<"rulesMeasured">>>) {
  const done = await doing;
  assert.ok(done.ok, done.ok ? "" : done.detail.text);
  assert.equal(done.value.memory, null);
  return done.value.rule;
}

export function measurementParams(
  ruleId: string,
  kind: "saves" | "regression",
  root: string,
  driver: "claude" | "replay" = "claude",
  id = `x-${ruleId}`,
) {
  const interval = { value: 900, low: 500, high: 1200, level: 0.9 };
  const none = { passed: 0, runs: 0, rate: null };
  const side = {
    label: plainSentence("a"),
    configurationHash: "c",
    model: "ship-1",
    effort: null,
    figures: null,
  };
  const facts: ReceiptFacts = {
    version: 1,
    id,
    at: 5,
    agent: "scout",
    sides: [side, side],
    tasks: [],
    seed: 1,
    subject: { kind: "rule", id: ruleId, title: plainSentence(sentence) },
    question: { bar: 40, alpha: 0.05, maxRounds: 12, tokenCap: null, kind: "candidate" },
    verdict: {
      kind,
      saving: interval,
      savingShare: null,
      belowBar: false,
      passed: [none, none],
      passedDifference: null,
      tasks: [],
      stop: "decided",
      moreRounds: null,
      rounds: 4,
      tokensSpent: 9,
      reason: plainSentence("It is decided."),
    },
    suiteHash: "s",
    fixtureHash: "f",
    driver,
    recordedBy: driver === "replay" ? ["script"] : [],
    rounds: { own: 4, pooled: 0, from: [] },
    spent: { runs: 8, processingTokens: 9, cacheRead: 0, usd: null },
  };
  const sample = { taskId: "one", weight: 1, side: 0, round: 1, tokens: 5, passed: true } as const;
  const evidence = { id: `e-${ruleId}`, ruleId, suiteHash: "s", model: "ship-1", driver, at: 5 };
  return {
    ruleId,
    receipt: JSON.stringify(sealReceipt(facts)),
    isActivated: false,
    root,
    evidence: { ...evidence, samples: [sample] },
  };
}
