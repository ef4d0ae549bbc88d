import type { Deciding } from "./page-model.ts";
import type { RuleActAsked, RuleView } from "../../engine/service/rules-view.ts";
import { groupsOf } from "./groups.ts";
import type { Model } from "./page-model.ts";

/** What is to be remembered of an act until it is done; null for one that decides nothing. */
export function decidingOf({ view }: Model, rule: RuleView, { kind }: RuleActAsked): Deciding | null {
  if (view === null || (kind !== "approve" && kind !== "reject")) return null;
  if (!isWaiting(rule)) return { id: rule.id, others: [] };
  const waiting = groupsOf(view)
    .flatMap(({ rules }) => rules.filter(isWaiting))
    .map(({ id }) => id);
  const here = waiting.indexOf(rule.id);
  return { id: rule.id, others: [...waiting.slice(here + 1), ...waiting.slice(0, here)] };
}

/** The rule to look at after a decision: the next that still waits; the decided one where none does. */
export function afterDecision({ view }: Model, { id, others }: Deciding): string {
  const waiting = new Set(view?.rules.filter(isWaiting).map((rule) => rule.id));
  return others.find((other) => waiting.has(other)) ?? id;
}

/** The rule that was decided last, while that can be undone. */
export function undoable({ view, decided }: Model): RuleView | null {
  return view?.rules.find(({ id, canUndo }) => id === decided && canUndo) ?? null;
}

function isWaiting({ status }: RuleView): boolean {
  return status === "measured" || status === "candidate";
}
