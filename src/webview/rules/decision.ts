import type { RuleActionRequest, RuleView } from "../../engine/rules/answers.ts";
import { groupsOf } from "./groups.ts";
import type { Deciding, Model } from "./page-model.ts";

/**
 * Records the decision that an action makes, until the service answers; null for an action that decides
 * nothing.
 */
export function decidingOf({ view }: Model, rule: RuleView, { kind }: RuleActionRequest): Deciding | null {
  if (view === null || (kind !== "approve" && kind !== "reject")) return null;
  if (!isWaiting(rule)) return { id: rule.id, others: [] };
  const waiting = groupsOf(view)
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

/** The rule of the last decision, while that can be undone. */
export function undoable({ view, decided }: Model): RuleView | null {
  return view?.rules.find(({ id, canUndo }) => id === decided && canUndo) ?? null;
}

function isWaiting({ status }: RuleView): boolean {
  return status === "measured" || status === "candidate";
}
