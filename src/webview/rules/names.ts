import { t } from "../../engine/base/language.ts";
import type { RuleView } from "../../engine/rules/rules-answers.ts";
import { outsideText } from "../components/outside.ts";
import type { Tab } from "./rules-protocol.ts";

/** The panel's short texts about a rule. */

export const statusNames: Readonly<Record<RuleView["status"], string>> = {
  candidate: t("Proposed"),
  approved: t("Approved, to be measured"),
  measured: t("Ready"),
  active: t("In Memory"),
  shelved: t("Paused"),
  evicted: t("Removed"),
};

export const tabNames: Readonly<Record<Tab, string>> = {
  waiting: t("Waiting for You"),
  memory: t("In Memory"),
  archive: t("Archive"),
};

export function ruleText({ scope, sentence }: Pick<RuleView, "scope" | "sentence">, length: number): string {
  return outsideText(scope === null ? sentence : `(when ${scope}) ${sentence}`, length);
}

/** The label for rejecting a rule of this status: one in memory is taken out of it. */
export function rejectLabel({ status }: Pick<RuleView, "status">): string {
  return status === "active" ? t("Remove from Memory…") : t("Reject…");
}

/** The label for approving a rule of this status; null if there is nothing to approve. */
export function approveLabel({ status }: RuleView): string | null {
  switch (status) {
    case "candidate":
      return t("Approve for Measuring");
    case "measured":
      return t("Add to the Agent's Memory");
    case "shelved":
      return t("Measure Again");
    case "evicted":
      return t("Give Another Chance");
    case "approved":
    case "active":
      return null;
  }
}

const verdictNames: Readonly<Record<string, string>> = {
  saves: t("saves"),
  costs: t("costs"),
  "cheaper-not-as-good": t("cheaper, not shown to be as good"),
  regression: t("fails what passed"),
  undecided: t("undecided"),
};

/** A receipt's verdict in a word. A receipt of another version may have one that is not known here. */
export function verdictName(verdict: string): string {
  return verdictNames[verdict] ?? outsideText(verdict, 40);
}
