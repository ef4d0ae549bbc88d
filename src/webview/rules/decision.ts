import type { RuleActionRequest, RuleView } from "../../engine/rules/answers.ts";
import { approveLabel } from "./names.ts";
import { filteredRules, groupsOf } from "./list/list-entries.ts";
import type { Deciding, Model } from "./page-model.ts";

/**
 * Records the decision that an action makes, until the service answers; null for an action that decides
 * nothing.
 */
export function decidingOf(model: Model, rule: RuleView, { kind }: RuleActionRequest): Deciding | null {
  if (model.view === null || (kind !== "approve" && kind !== "reject")) return null;
  if (!isWaiting(rule)) return { id: rule.id, others: [] };
  const waiting = groupsOf({ rules: filteredRules(model) })
    .flatMap(({ rules }) => rules.filter(isWaiting))
    .map(({ id }) => id);
  const here = waiting.indexOf(rule.id);
  return { id: rule.id, others: [...waiting.slice(here + 1), ...waiting.slice(0, here)] };
}

/** The rule to show after a decision: the next one still waiting, or the decided one if there is none. */
export function afterDecision({ view }: Model, { id, others }: Deciding): string {
  const waiting = new Set(view?.rules.filter(isWaiting).map((rule) => rule.id));
  return others.find((other) => waiting.has(other)) ?? id;
}

/** The rules of the last decision that can be undone. */
export function undoable({ view, decided }: Model): readonly RuleView[] {
  return view?.rules.filter(({ id, canUndo }) => decided.includes(id) && canUndo) ?? [];
}

/** Whether undoing takes back a decision about several rules: it does, unless another rule with a step to undo is shown. */
export function undoesMany(model: Model, shown: RuleView | null): boolean {
  const isOther = shown?.canUndo === true && !model.decided.includes(shown.id);
  return undoable(model).length > 1 && model.marked.size === 0 && !isOther;
}

/** Whether a key's decision applies to a rule. */
export function canDecide(kind: "approve" | "protect" | "reject" | "edit", rule: RuleView): boolean {
  switch (kind) {
    case "approve":
      return approveLabel(rule) !== null;
    case "reject":
      return rule.status !== "evicted";
    case "edit":
      return rule.status === "candidate";
    case "protect":
      return true;
  }
}

function isWaiting({ status }: RuleView): boolean {
  return status === "measured" || status === "candidate";
}
