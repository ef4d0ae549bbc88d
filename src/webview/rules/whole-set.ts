import { inWords, plural, t } from "../../engine/base/language.ts";
import { html, nothing, type TemplateResult } from "lit";
import { isUnderWay } from "../../engine/jobs/compare-answers.ts";
import type { RuleView, SetView } from "../../engine/rules/rules-answers.ts";
import { said } from "../components/outside.ts";
import { banner, notice } from "../components/states.ts";
import type { RenderContext } from "./page-model.ts";

/** Says, where a person lets a rule in, what all rules that would be active do as a whole. */
export function wholeSet(context: RenderContext, rule: RuleView): TemplateResult | typeof nothing {
  const { set, status } = rule;
  if (set === undefined || (status !== "measured" && status !== "shelved")) return nothing;
  const { decision, receiptId, reason } = set;
  if (decision === null || receiptId === null) return notConfirmed(context, rule, set);
  const all = plural(
    set.rules,
    t("All 1 rule that would be active, measured as a whole against no rules at all: {0}", decided[decision]),
    t(
      "All {0} rules that would be active, measured as a whole against no rules at all: {1}",
      set.rules,
      decided[decision],
    ),
  );
  const receipt = {
    label: t("Receipt"),
    run: () => context.actions.post({ type: "openReceipt", id: receiptId }),
  };
  return decision === "confirmed"
    ? notice(
        html`${all} ${said(reason, 400)}
          <button class="link" @click=${receipt.run}>${receipt.label}</button>`,
      )
    : banner(`${all} ${inWords(reason)}`, receipt);
}

function notConfirmed(
  { model, actions }: RenderContext,
  { agent }: RuleView,
  { rules }: SetView,
): TemplateResult {
  const others = rules - 1;
  const isGoingOn = model.jobs.some(
    ({ ask, state }) => ask.kind === "select" && ask.agent === agent && isUnderWay(state),
  );
  return notice(
    isGoingOn
      ? plural(
          others,
          t(
            "This rule and 1 other rule are ready. What was found is measured as a whole at the end of the selection.",
          ),
          t(
            "This rule and {0} other rules are ready. What was found is measured as a whole at the end of the selection.",
            others,
          ),
        )
      : html`${plural(
            others,
            t("This rule and 1 other rule are ready, each by itself. They were not measured as a whole."),
            t(
              "This rule and {0} other rules are ready, each by itself. They were not measured as a whole.",
              others,
            ),
          )}
          <button class="link" @click=${() => actions.confirmTogether(agent)}>
            ${t("Confirm Together…")}
          </button>`,
  );
}

export const decided: Readonly<Record<NonNullable<SetView["decision"]>, string>> = {
  confirmed: t("confirmed."),
  refused: t("refused, so that none of those that were found was added."),
  undecided: t("undecided. Each that was found has a receipt of its own, and you may still add it."),
};

/** Text about the set in a rule's row. Empty if there is none. */
export function setWord({ set, status }: RuleView): string {
  if (set === undefined || (status !== "measured" && status !== "shelved")) return "";
  const words = { confirmed: t("set confirmed"), refused: t("set refused"), undecided: t("set undecided") };
  return set.decision === null ? t("set not confirmed") : words[set.decision];
}
