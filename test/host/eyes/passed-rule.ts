import { plainSentence } from "../../../src/engine/base/language.ts";
import { join } from "node:path";
import type { LedgerEntry } from "../../../src/engine/ledger/entries/entries-entry.ts";
import { openLedger } from "../../../src/engine/ledger/store/open.ts";
import { sealReceipt, type ReceiptFacts } from "../../../src/engine/verdict/receipt/receipt.ts";
import { ledgerPorts } from "../../engine/ledger/support/support.ts";
import type { Scratch } from "../scratch.ts";

interface PassedRule {
  readonly id: string;
  readonly agent: string;
  readonly sentence: string;
}

/** Writes a rule that an agent's own runs showed to save, into the ledger of an unused home. */
export async function writePassedRule({ home }: Scratch, rule: PassedRule): Promise<void> {
  const opened = await openLedger({ ...ledgerPorts(), folder: join(home, ".purser") });
  if (!opened.ok) throw new Error(opened.detail.text);
  const appended = await opened.value.append(entriesOf(rule));
  if (!appended.ok) throw new Error(appended.detail.text);
  await opened.value.close();
}

function entriesOf({ id, agent, sentence }: PassedRule): LedgerEntry[] {
  const at = Date.now() - 60 * 60_000;
  const receipt = sealReceipt(factsOf({ id, agent, sentence }, at));
  const step = { kind: "rule-step", ruleId: id, at } as const;
  return [
    {
      kind: "rule",
      id,
      agent,
      body: sentence,
      status: "measured",
      measuredDelta: 4200,
      contextCost: 24,
      createdAt: at,
      decidedAt: at,
      auditedAt: at,
      origin: "hand",
      decidedReason: receipt.verdict.reason.text,
    },
    { ...step, id: `${id}:1`, who: "user", toStatus: "candidate", why: "written by hand" },
    { ...step, id: `${id}:2`, who: "user", fromStatus: "candidate", toStatus: "approved", why: "approved" },
    {
      ...step,
      id: `${id}:3`,
      who: "purser",
      fromStatus: "approved",
      toStatus: "measured",
      why: `${receipt.verdict.reason.text} (receipt ${receipt.id})`,
    },
    {
      kind: "receipt",
      id: receipt.id,
      subject: "rule",
      subjectId: id,
      at,
      verdict: "saves",
      json: JSON.stringify(receipt),
    },
  ];
}

function factsOf({ id, agent, sentence }: PassedRule, at: number): ReceiptFacts {
  const saving = { value: 4200, low: 1600, high: 6800, level: 0.9 };
  const none = { passed: 0, runs: 0, rate: null };
  const side = { configurationHash: "c", model: "claude-sonnet-5-5", effort: null, figures: null };
  return {
    version: 1,
    id: `select-${id}.receipt`,
    at,
    agent,
    tasks: [],
    seed: 1,
    subject: { kind: "rule", id, title: plainSentence(sentence) },
    sides: [
      { ...side, label: plainSentence("without the rule") },
      { ...side, label: plainSentence("with the rule") },
    ],
    question: { bar: 48, alpha: 0.05, maxRounds: 12, tokenCap: null, kind: "candidate" },
    verdict: {
      kind: "saves",
      saving,
      savingShare: null,
      belowBar: false,
      passed: [none, none],
      passedDifference: null,
      tasks: [],
      stop: "decided",
      moreRounds: null,
      rounds: 4,
      tokensSpent: 9,
      reason: plainSentence("Saves 4,200 tokens a completed run."),
    },
    suiteHash: "s",
    fixtureHash: "f",
    driver: "claude",
    recordedBy: [],
    rounds: { own: 4, pooled: 0, from: [] },
    spent: { runs: 32, processingTokens: 1_300_000, cacheRead: 0, usd: 4.2 },
  };
}
