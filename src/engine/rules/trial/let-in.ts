import type { TrialView } from "../trial-answers.ts";
import { sentence, type Sentence, plainSentence } from "../../base/language.ts";

/** Returns the evidence that admits a rule by a trial, for its history, or what is missing. */
export function proofIn(
  { id, rules }: TrialView,
  ruleId: string,
): { readonly why: Sentence | null; readonly missing: Sentence } {
  const rule = rules.find((each) => each.id === ruleId);
  const saving = rule?.basis === "both" ? rule.together : rule?.saving;
  if (rule?.basis === undefined || rule.basis === null || saving === undefined || saving === null)
    return { why: null, missing: rule?.missing ?? sentence("it was not on that trial") };
  const [value, low, high] = [saving.value, saving.low, saving.high].map((share) => Math.round(100 * share));
  const figures = {
    value: value ?? 0,
    low: low ?? 0,
    high: high ?? 0,
    id,
    sessions: rule.withIt + rule.withoutIt,
  };
  const why =
    rule.basis === "both"
      ? sentence(
          "it saves {value} % ({low} to {high}) by real work and the benchmark together, trial {id}, {sessions} sessions and receipt {receipt}",
          { ...figures, receipt: rule.benchmark?.receiptId ?? "" },
        )
      : sentence(
          "it saves {value} % ({low} to {high}) by real work, trial {id}, {sessions} sessions",
          figures,
        );
  return { why, missing: plainSentence("") };
}
