import type { TrialView } from "../answers/trial-view.ts";

/** What lets a rule in by a trial, for its history; or why nothing does. */
export function proofIn(
  { id, rules }: TrialView,
  ruleId: string,
): { readonly why: string | null; readonly missing: string } {
  const rule = rules.find((each) => each.id === ruleId);
  const saving = rule?.basis === "both" ? rule.together : rule?.saving;
  if (rule?.basis === undefined || rule.basis === null || saving === undefined || saving === null)
    return { why: null, missing: rule?.missing ?? "it was not on that trial" };
  const [value, low, high] = [saving.value, saving.low, saving.high].map((share) => Math.round(100 * share));
  const sessions = `trial ${id}, ${rule.withIt + rule.withoutIt} sessions`;
  const source =
    rule.basis === "both"
      ? `real work and the benchmark together, ${sessions} and receipt ${rule.benchmark?.receiptId ?? ""}`
      : `real work, ${sessions}`;
  return { why: `it saves ${value} % (${low} to ${high}) by ${source}`, missing: "" };
}
