import { inWords } from "../../engine/base/language.ts";
import { shortNumber } from "../../engine/base/local-format.ts";
import { limitWords, shortAmount } from "../../engine/budgets/local-amount.ts";
import { levelNames, type Levels } from "../../engine/budgets/budget.ts";
import { cleanText } from "../../engine/base/text.ts";
import type { BudgetProposal } from "../../engine/budgets/budgets-answers.ts";
import { describePeriod, periodOfLimit } from "./describe-budgets.ts";
import type { Translate } from "../editor/describe-editor.ts";

/** An item of the quick list: the proposed budget, the usage so far, and the reason for the limit. */
export function quickRow(
  name: string,
  proposal: BudgetProposal,
  t: Translate,
): { readonly label: string; readonly description: string; readonly detail: string } {
  const { limit, period } = proposal;
  return {
    label: name,
    description: t("{0} tokens {1}", shortNumber(limit), periodOfLimit(period, t)),
    detail: [usedText(proposal, t), cleanText(inWords(proposal.source))]
      .filter((text) => text !== "")
      .join(" · "),
  };
}

/** The prompt above a limit's input box. */
export function limitPrompt(proposal: BudgetProposal, about: string, t: Translate): string {
  const proposed =
    proposal.source.text === "" ? "" : t("Proposed: {0}.", cleanText(inWords(proposal.source)));
  const used = usedText(proposal, t);
  return [about, used === "" ? "" : `${used}.`, proposed].filter((text) => text !== "").join(" ");
}

/** `Used today: 316k`; empty when there is no single figure. */
function usedText({ used, period }: BudgetProposal, t: Translate): string {
  return used === null ? "" : t("Used {0}: {1}", describePeriod(period, t), shortNumber(used));
}

/** `Budget “everything” is active: 600k tokens a day.` */
export function createdSentence(convoyId: string, levels: Levels, t: Translate): string {
  const [widest, ...others] = levelNames.toReversed().flatMap((name) => levels[name] ?? []);
  const first =
    widest === undefined
      ? ""
      : t("{0} {1}", limitWords(widest, widest.amount, shortAmount), periodOfLimit(widest.period, t));
  return others.length === 0
    ? t("Budget “{0}” is active: {1}.", convoyId, first)
    : t("Budget “{0}” is active: {1}, and {2} more.", convoyId, first, others.length);
}
