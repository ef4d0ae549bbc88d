import type { ManyRulesAction, RuleView } from "../../../engine/rules/answers.ts";
import { groupsOf, filteredRules } from "../list/list-entries.ts";
import type { Model } from "../page-model.ts";

/** What can be done with several rules at once. */
export type ManyKind = ManyRulesAction["kind"];

type Marked = Pick<Model, "view" | "kept" | "marked">;

/** The marked rules that still exist, in list order; those that the filter hides come last. */
export function markedRules(model: Marked): readonly RuleView[] {
  if (model.marked.size === 0) return [];
  const listed = idsInOrder(model);
  const rules = (model.view?.rules ?? []).filter(({ id }) => model.marked.has(id));
  const placeOf = ({ id }: RuleView) => listed.get(id) ?? Infinity;
  return rules.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** The marked rules to which an action applies. The service holds each of them to it again. */
export function markedFor(model: Marked, kind: ManyKind): readonly RuleView[] {
  return markedRules(model).filter((rule) => applies[kind](rule));
}

const applies: Readonly<Record<ManyKind, (rule: RuleView) => boolean>> = {
  approve: ({ status }) => status === "candidate" || status === "shelved" || status === "evicted",
  letIn: ({ status, receipts, set }) =>
    status === "measured" && receipts.some(({ isDemo }) => !isDemo) && set?.decision !== null,
  reject: ({ status }) => status !== "evicted",
  undo: ({ canUndo }) => canUndo,
};

export function withMark<M extends Marked>(model: M, id: string): M {
  const marked = new Set(model.marked);
  if (!marked.delete(id)) marked.add(id);
  return { ...model, marked };
}

/** Marks the rules from one to another, both included, in list order. */
export function withMarksTo<M extends Marked>(model: M, from: string, to: string): M {
  const ids = [...idsInOrder(model).keys()];
  const [one, other] = [ids.indexOf(from), ids.indexOf(to)];
  if (other < 0) return model;
  const [first, last] = one < 0 ? [other, other] : [Math.min(one, other), Math.max(one, other)];
  return { ...model, marked: new Set([...model.marked, ...ids.slice(first, last + 1)]) };
}

/** Marks all listed rules. If all are marked, unmarks them. */
export function withAllMarked<M extends Marked>(model: M, ids = [...idsInOrder(model).keys()]): M {
  const isAll = ids.every((id) => model.marked.has(id));
  const marked = new Set(
    isAll ? [...model.marked].filter((id) => !ids.includes(id)) : [...model.marked, ...ids],
  );
  return { ...model, marked };
}

/** The ids of the listed rules, with their places. */
function idsInOrder(model: Pick<Model, "view" | "kept">): ReadonlyMap<string, number> {
  const rules = groupsOf({ rules: filteredRules(model) }).flatMap((group) => group.rules);
  return new Map(rules.map(({ id }, index) => [id, index]));
}
