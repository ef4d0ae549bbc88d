import { succeed, type Result } from "../../base/result.ts";
import { measuresModel } from "../../bench/run-facts.ts";
import type { RuleBook } from "../../ledger/rule-questions.ts";
import { readReceipt } from "../../verdict/receipt.ts";
import { type SavingPart, boundaryOf } from "../../verdict/statistics.ts";
import { verdictKinds, type Verdict, type VerdictKind } from "../../verdict/verdict.ts";
import type { RulesLedger } from "../book/rules-book-rows.ts";

/** The benchmark's result for a rule: its newest receipt, which includes the evidence of earlier ones. */
export interface BenchmarkFinding {
  readonly receiptId: string;
  readonly at: number;
  readonly verdict: VerdictKind;
  /** Whether it is shown to save less than its rent requires. */
  readonly belowBar: boolean;
  /** Share of a completed run's tokens. Null if too little is known. */
  readonly saving: SavingPart | null;
}

/** Reads the newest receipts of rules, by the rules' ids. Ignores replays. */
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
    const finding = findingIn(json.value ?? "", newest);
    if (finding !== null) found.set(ruleId, finding);
  }
  return succeed(found);
}

function findingIn(json: string, row: RuleBook["receipts"][number]): BenchmarkFinding | null {
  const receipt = readReceipt(json);
  if (receipt.ok) {
    const { id, at, verdict } = receipt.value;
    const { kind, belowBar } = verdict;
    return { receiptId: id, at, verdict: kind, belowBar, saving: savingIn(verdict) };
  }
  // A changed receipt gives no figure; opening it shows the reason. A finding against its rule remains.
  const kind = verdictKinds.find((each) => each === row.verdict);
  if (kind === undefined) return null;
  return { receiptId: row.id, at: row.at, verdict: kind, belowBar: false, saving: null };
}

/** An older receipt may have spent its error differently. Only its own intervals show their widths. */
function savingIn({ savingShare, passed }: Pick<Verdict, "savingShare" | "passed">): SavingPart | null {
  const [boundary] = passed.flatMap((rate) => boundaryOf(rate) ?? []);
  return savingShare === null || boundary === undefined ? null : { saving: savingShare, boundary };
}
