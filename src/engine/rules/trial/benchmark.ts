import { succeed, type Result } from "../../base/result.ts";
import { measuresModel } from "../../bench/run-facts.ts";
import type { RuleBook } from "../../ledger/questions/rule-book.ts";
import { readReceipt } from "../../verdict/receipt/receipt.ts";
import { patientBoundaries } from "../../verdict/statistics/boundaries.ts";
import type { SavingPart } from "../../verdict/statistics/combined-saving.ts";
import type { VerdictKind } from "../../verdict/verdict.ts";
import type { RulesLedger } from "../book/stored.ts";

/** What the benchmark shows of a rule: its newest receipt, which includes the evidence of earlier ones. */
export interface BenchmarkFinding {
  readonly receiptId: string;
  readonly at: number;
  readonly verdict: VerdictKind;
  /** Share of a completed run's tokens; null where too little is known. */
  readonly saving: SavingPart | null;
}

/** Reads the newest receipts of rules, by the rules' ids. Replays, and receipts that are not as they were written, are none. */
export async function benchmarkFindings(
  ledger: Pick<RulesLedger, "ask">,
  { receipts }: Pick<RuleBook, "receipts">,
  ruleIds: readonly string[],
): Promise<Result<Map<string, BenchmarkFinding>>> {
  const found = new Map<string, BenchmarkFinding>();
  for (const ruleId of ruleIds) {
    const newest = receipts.find(
      ({ subject, subjectId, driver }) =>
        subject === "rule" && subjectId === ruleId && measuresModel(driver ?? ""),
    );
    if (newest === undefined) continue;
    const json = await ledger.ask("receipt", newest.id);
    if (!json.ok) return json;
    // One that was changed says nothing of a rule; opening it says so.
    const receipt = readReceipt(json.value ?? "");
    if (!receipt.ok) continue;
    const { id, at, question, verdict } = receipt.value;
    const boundaries = patientBoundaries(question.alpha, question.plannedRounds ?? question.maxRounds);
    const saving = verdict.savingShare && {
      saving: verdict.savingShare,
      boundary: boundaries.at(Math.max(1, verdict.rounds)),
    };
    found.set(ruleId, { receiptId: id, at, verdict: verdict.kind, saving });
  }
  return succeed(found);
}
