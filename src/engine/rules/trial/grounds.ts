import { combineSavings, type SavingPart, boundaryOf } from "../../verdict/statistics.ts";
import { type Interval, verdictKinds, type Verdict, type VerdictKind } from "../../verdict/verdict.ts";
import { statusWords, type Rule } from "../rule.ts";
import { brokenGuard, type Guard, type RuleFinding } from "./analyse.ts";
import { mayBeTried } from "./trial.ts";
import { sentence, type Sentence } from "../../base/language.ts";
import { minSessions } from "../../verdict/power.ts";
import type { LeftOut } from "./eligible.ts";
import { succeed, type Result } from "../../base/result.ts";
import { measuresModel } from "../../bench/run-facts.ts";
import type { RuleBook } from "../../ledger/rule-questions.ts";
import { readReceipt } from "../../verdict/receipt.ts";
import type { RulesLedger } from "../book/rules-book-rows.ts";

type Basis = "real-work" | "both";

interface Proof {
  /** Share of tokens saved according to both. Null without either, or if they contradict each other. */
  readonly together: Interval | null;
  /** Null where the rule may not go in by it. */
  readonly basis: Basis | null;
  readonly missing: Sentence | null;
}

export interface ProofInput {
  readonly rule: Pick<Rule, "status" | "rent"> | undefined;
  readonly finding: RuleFinding;
  readonly benchmark: BenchmarkFinding | undefined;
  /** Processing tokens of a session's completed prompts; null while unknown. */
  readonly sessionTokens: number | null;
}

/**
 * Decides whether real work, alone or with the benchmark, proves a rule. Sessions with a rule pay its rent,
 * so their saving is already net of it. A saving of twice the rent therefore leaves one rent as net saving.
 * Evidence against the rule from either source keeps it out.
 */
export function proofOf({ rule, finding, benchmark, sessionTokens }: ProofInput): Proof {
  const { saving, boundary, verdict } = finding;
  const parts = [saving && { saving, boundary }, benchmark?.saving].flatMap((part) => part ?? []);
  const together = combineSavings(parts)?.saving ?? null;
  const shown = verdict === "saves" ? saving : together !== null && together.low > 0 ? together : null;
  const not = (missing: Sentence): Proof => ({ together, basis: null, missing });
  if (rule === undefined) return not(sentence("the rule is gone"));
  if (!mayBeTried(rule)) return not(sentence("the rule is {status}", { status: statusWords[rule.status] }));
  if (benchmark !== undefined && isAgainst(benchmark)) return not(sentence("its benchmark shows a fault"));
  if (verdict === "costs") return not(sentence("real work shows that it costs"));
  if (shown === null) return not(sentence("not shown to save yet"));
  const broken = brokenGuard(finding);
  if (broken !== null) return not(describeBrokenGuard(broken));
  if (sessionTokens === null || shown.value * sessionTokens < rule.rent)
    return not(sentence("it saves less than twice its rent"));
  return { together, basis: verdict === "saves" ? "real-work" : "both", missing: null };
}

function isAgainst({ verdict, belowBar }: BenchmarkFinding): boolean {
  if (belowBar) return true;
  return verdict === "regression" || verdict === "costs" || verdict === "cheaper-not-as-good";
}

/** Describes why no figure uses a session. */
export function describeLeftOut(why: LeftOut): Sentence {
  switch (why) {
    case "no_prompt":
      return sentence("no completed prompt");
    case "late":
      return sentence("the answer to its first hook came too late");
    case "running":
      return sentence("still running");
    case "golden":
      return sentence("ran a golden task");
    case "no_hook":
      return sentence("none of its hooks reached purser");
    case "fork":
      return sentence("forked from another session");
    case "not_drawn":
      return sentence("began before purser was ready, or as another agent");
  }
}

export function describeReason(reason: RuleFinding["reason"]): Sentence | null {
  switch (reason) {
    case null:
      return null;
    case "few_sessions":
      return sentence("fewer than {0} sessions", minSessions);
    case "not_shown":
      return sentence("not shown yet");
    case "not_per_session":
      return sentence("it saves per prompt, but that is not shown of whole sessions");
    case "more_undone":
    case "more_corrections":
    case "more_prompts":
      return sentence("it saves, but {why}", { why: describeBrokenGuard(reason) });
  }
}

function describeBrokenGuard(guard: Guard): Sentence {
  if (guard === "more_prompts") return sentence("sessions have more prompts with it");
  return guard === "more_undone"
    ? sentence("it is not shown that no more prompts are interrupted or fail")
    : sentence("it is not shown that no more prompts correct the agent");
}

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
