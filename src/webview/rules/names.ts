import type { RuleView } from "../../engine/rules/answers.ts";
import { outsideText } from "../components/outside.ts";

/** The panel's short texts about a rule. */

export const statusNames: Readonly<Record<RuleView["status"], string>> = {
  candidate: "Candidate",
  approved: "Approved, to be measured",
  measured: "Passed",
  active: "Active",
  shelved: "Paused",
  evicted: "Removed",
};

export function ruleText({ scope, sentence }: Pick<RuleView, "scope" | "sentence">, length: number): string {
  return outsideText(scope === null ? sentence : `(when ${scope}) ${sentence}`, length);
}

/** The label for approving a rule of this status; null if there is nothing to approve. */
export function approveLabel({ status }: RuleView): string | null {
  switch (status) {
    case "candidate":
      return "Approve for Measuring";
    case "measured":
      return "Let into Memory";
    case "shelved":
      return "Measure Again";
    case "evicted":
      return "Give Another Chance";
    case "approved":
    case "active":
      return null;
  }
}
