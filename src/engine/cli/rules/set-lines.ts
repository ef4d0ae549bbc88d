import { t } from "../../base/language.ts";
import { estimatedNumber } from "../../base/local-format.ts";
import { cleanText } from "../../base/text.ts";
import type { RuleView } from "../../rules/answers.ts";
import type { SetOutcome, SettledSet } from "../../rules/selection.ts";
import type { SetDecision } from "../../verdict/retention.ts";
import type { SelectJson } from "./select-schema.ts";
import { said } from "../language/said.ts";

const setWords: Readonly<Record<SetDecision, string>> = {
  confirmed: t("confirmed"),
  refused: t("rejected, so none of them is added"),
  undecided: t(
    "undecided, so none is added automatically; each has its own report and can still be approved",
  ),
};

export function setLine({ found, decision, receipt }: SettledSet): string {
  const of = receipt.set?.length ?? found.length;
  return t(
    "All {0} rules together, against none: {1}. {2} Report {3}",
    of,
    setWords[decision],
    said(receipt.verdict.reason),
    receipt.id,
  );
}

/** Empty for a rule without a set. */
export function wholeSetLine({ set, agent, status }: Pick<RuleView, "set" | "agent" | "status">): string {
  if (set === undefined) return "";
  if (set.decision === null)
    return `${t("It and {0} more have passed, and were not measured together: {1} does it", set.rules - 1, `purser select ${cleanText(agent)} --confirm`)}\n`;
  const words = status === "active" && set.decision === "undecided" ? t("undecided") : setWords[set.decision];
  return `${t("All {0} rules together, against none: {1}. {2} Report {3}", set.rules, words, said(set.reason), cleanText(set.receiptId ?? ""))}\n`;
}

/** Null if the set was confirmed. */
export function unpaidLine(set: SetOutcome | null, agent: string): string | null {
  if (set?.kind !== "unpaid") return null;
  const command = `purser select ${agent} --confirm`;
  return set.tokens === null
    ? t(
        "The {0} rules that were found are not confirmed together: the limit is too low for that. {1} does it",
        set.found.length,
        command,
      )
    : t(
        "The {0} rules that were found are not confirmed together: the limit is too low for that, which takes ~{1} tokens or more. {2} does it",
        set.found.length,
        estimatedNumber(set.tokens),
        command,
      );
}

export function setToJson(set: SetOutcome): NonNullable<SelectJson["set"]> {
  const found = [...set.found];
  return set.kind === "settled"
    ? { found, decision: set.decision, receipt: set.receipt }
    : { found, decision: null, receipt: null };
}
