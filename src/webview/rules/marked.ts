import type { ManyRulesAction, RuleView } from "../../engine/rules/rules-answers.ts";
import { listedRules } from "./list/list-entries.ts";
import type { Model, Actions } from "./page-model.ts";
import { withPlace } from "./rules-model.ts";
import { canApprove, othersOf, type PageHandle } from "./decision.ts";

/** What can be done with several rules at once. */
export type ManyKind = ManyRulesAction["kind"];

type Marked = Pick<Model, "view" | "kept" | "marked" | "unreached">;

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
  const isStuck = (rule: RuleView) => (kind === "approve" || kind === "letIn") && !canApprove(model, rule);
  return markedRules(model).filter((rule) => applies[kind](rule) && !isStuck(rule));
}

const applies: Readonly<Record<ManyKind, (rule: RuleView) => boolean>> = {
  approve: ({ status }) => status === "candidate" || status === "shelved" || status === "evicted",
  letIn: ({ status, receipts, set }) =>
    status === "measured" && receipts.some(({ isDemo }) => !isDemo) && set?.decision !== null,
  reject: ({ status }) => status !== "evicted",
  undo: ({ canUndo }) => canUndo,
};

function withMark<M extends Marked>(model: M, id: string): M {
  const marked = new Set(model.marked);
  if (!marked.delete(id)) marked.add(id);
  return { ...model, marked };
}

/** Marks the rules from one to another, both included, in list order. */
function withMarksTo<M extends Marked>(model: M, from: string, to: string): M {
  const ids = [...idsInOrder(model).keys()];
  const [one, other] = [ids.indexOf(from), ids.indexOf(to)];
  if (other < 0) return model;
  const [first, last] = one < 0 ? [other, other] : [Math.min(one, other), Math.max(one, other)];
  return { ...model, marked: new Set([...model.marked, ...ids.slice(first, last + 1)]) };
}

/** Marks all listed rules. If all are marked, unmarks them. */
function withAllMarked<M extends Marked>(model: M, ids = [...idsInOrder(model).keys()]): M {
  const isAll = ids.every((id) => model.marked.has(id));
  const marked = new Set(
    isAll ? [...model.marked].filter((id) => !ids.includes(id)) : [...model.marked, ...ids],
  );
  return { ...model, marked };
}

/** The ids of the listed rules, with their places. */
function idsInOrder(model: Pick<Model, "view" | "kept">): ReadonlyMap<string, number> {
  return new Map(listedRules(model).map(({ id }, index) => [id, index]));
}

type ManyActions = Pick<Actions, "mark" | "markTo" | "markAll" | "clearMarks" | "askMany" | "actOnMarked">;

export function manyActions({ model, show, post, focus }: PageHandle): ManyActions {
  return {
    mark: (id) => {
      const { place } = model().kept;
      const isShown = place?.kind === "rule" && place.id === id;
      const next = withMark(model(), id);
      show(isShown ? next : withPlace(next, { kind: "rule", id }));
    },
    markTo: (id) => {
      const { place } = model().kept;
      const from = place?.kind === "rule" ? place.id : id;
      show(withPlace(withMarksTo(model(), from, id), { kind: "rule", id }));
      focus("entry");
    },
    markAll: (ids) => show(withAllMarked(model(), ids)),
    clearMarks: () => {
      show({ ...model(), marked: new Set(), askingMany: null });
      focus("entry");
    },
    askMany: (kind, why = "") => {
      const before = model().askingMany;
      show({ ...model(), askingMany: kind === "reject" ? { kind, why } : kind === null ? null : { kind } });
      if (kind === null) focus("entry");
      else if (before?.kind !== kind) focus(kind === "reject" ? "field" : "bar");
    },
    actOnMarked: (act) => {
      const ids = idsFor(model(), act);
      if (ids.length === 0) return;
      const { place } = model().kept;
      const shown = place?.kind === "rule" && ids.includes(place.id) ? place.id : null;
      const deciding =
        shown === null || act.kind === "undo" ? null : { id: shown, others: othersOf(model(), shown, ids) };
      show({ ...model(), isBusy: true, trouble: null, deciding });
      post({ type: "actOnMany", ids, act });
    },
  };
}

function idsFor(model: Model, act: ManyRulesAction): string[] {
  return markedFor(model, act.kind).map(({ id }) => id);
}
