import { t } from "../../base/language.ts";
import { describeGuardResult } from "../../rules/rules-answers.ts";
import { familyIn, harmOf, type TrialPlan, type TriedRuleView } from "../../rules/trial-answers.ts";
import { agentNames } from "../../transcripts/agents.ts";

export function guardPlanLines({ rules, programs, planned }: TrialPlan, place: string): string {
  const names = programs.map((program) => agentNames.of(program)).join(", ");
  const families = rules.map(({ id }) => familyIn(id) ?? id).join(", ");
  return [
    t("Guards on trial, on your own work: {0}", families),
    t(
      "In each new session in {0} ({1}), each of them acts or only observes, at random, about half and half.",
      place,
      names,
    ),
    t(
      "The draw is in the ledger before the session's first prompt. Nothing is sent anywhere, and nothing is spent.",
    ),
    t("Planned for {0} sessions; purser trial stop ends it at once.", planned),
    "",
  ].join("\n");
}

/** A line for each family of guards, and what to do about one that harms. */
export function guardResultLines(rules: readonly TriedRuleView[]): string[] {
  const lines = rules.map((rule) => {
    const { text, more } = describeGuardResult(rule);
    return `${familyIn(rule.id) ?? rule.id}: ${text}${more === null ? "" : `, ${more}`}`;
  });
  const harmful = rules.filter((rule) => harmOf(rule) !== null).map(({ id }) => familyIn(id) ?? id);
  const remedy = harmful.map((family) =>
    t("{0} lets it only observe.", `purser guard observe --family ${family}`),
  );
  const counts = rules.map(({ id, withIt, withoutIt }) =>
    t(
      "{0}: sessions in which it acted: {1}; in which it only observed: {2}",
      familyIn(id) ?? id,
      withIt,
      withoutIt,
    ),
  );
  return [...lines, ...counts, ...remedy, ""];
}
