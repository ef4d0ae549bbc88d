import { html, nothing, type TemplateResult } from "lit";
import { isUnderWay } from "../../engine/jobs/answers/stages.ts";
import type { RuleView, SetView } from "../../engine/rules/answers.ts";
import { plural } from "../components/figures.ts";
import { outside } from "../components/outside.ts";
import { banner, notice } from "../components/states.ts";
import type { RenderContext } from "./actions.ts";

/** Says, where a person lets a rule in, what all rules that would be active do as a whole. */
export function wholeSet(context: RenderContext, rule: RuleView): TemplateResult | typeof nothing {
  const { set, status } = rule;
  if (set === undefined || (status !== "measured" && status !== "shelved")) return nothing;
  const { decision, receiptId, reason } = set;
  if (decision === null || receiptId === null) return notConfirmed(context, rule, set);
  const all = `All ${plural(set.rules, "rule", "rules")} that would be active, measured as a whole against no rules at all: ${decided[decision]}`;
  const receipt = {
    label: "Receipt",
    run: () => context.actions.post({ type: "openReceipt", id: receiptId }),
  };
  return decision === "confirmed"
    ? notice(
        html`${all} ${outside(reason, 400)}
          <button class="link" @click=${receipt.run}>${receipt.label}</button>`,
      )
    : banner(`${all} ${reason}`, receipt);
}

function notConfirmed(
  { model, actions }: RenderContext,
  { agent }: RuleView,
  { rules }: SetView,
): TemplateResult {
  const others = plural(rules - 1, "other rule", "other rules");
  const isGoingOn = model.jobs.some(
    ({ ask, state }) => ask.kind === "select" && ask.agent === agent && isUnderWay(state),
  );
  return notice(
    isGoingOn
      ? html`This rule and ${others} passed. What was found is measured as a whole at the end of the
        selection.`
      : html`This rule and ${others} passed, each by itself. They were not measured as a whole.
          <button class="link" @click=${() => actions.confirmTogether(agent)}>Confirm Together…</button>`,
  );
}

export const decided: Readonly<Record<NonNullable<SetView["decision"]>, string>> = {
  confirmed: "confirmed.",
  refused: "refused, so that none of those that were found was let in.",
  undecided: "undecided. Each that was found has a receipt of its own, and you may still let it in.",
};

/** What a rule's row says of its set; empty where there is nothing to say. */
export function setWord({ set, status }: RuleView): string {
  if (set === undefined || (status !== "measured" && status !== "shelved")) return "";
  return set.decision === null ? "set not confirmed" : `set ${set.decision}`;
}
