import type { RuleActionRequest, RuleView } from "../../engine/rules/rules-answers.ts";
import { approveLabel, ruleText } from "./names.ts";
import { listedRules, tabIn, tabOf } from "./list/list-entries.ts";
import type { Deciding, Model, Actions } from "./page-model.ts";
import type { PanelMessage, Place } from "./rules-protocol.ts";

/**
 * Records the decision that an action makes, until the service answers; null for an action that decides
 * nothing.
 */
export function decidingOf(model: Model, rule: RuleView, { kind }: RuleActionRequest): Deciding | null {
  if (model.view === null || (kind !== "approve" && kind !== "reject")) return null;
  return { id: rule.id, others: othersOf(model, rule.id, [rule.id]) };
}

/** The rules of the tab without the decided ones, from the one below a rule on. */
export function othersOf(model: Model, id: string, decided: readonly string[]): string[] {
  const ids = listedRules(model).map((rule) => rule.id);
  const here = ids.indexOf(id);
  return [...ids.slice(here + 1), ...ids.slice(0, Math.max(0, here))].filter(
    (other) => !decided.includes(other),
  );
}

/**
 * The rule to show after a decision: the next one of the tab, preferably one that waits for a decision. Null if the tab
 * is empty.
 */
export function afterDecision(model: Model, { id, others }: Deciding): string | null {
  const tab = tabIn(model);
  const here = new Map(
    model.view?.rules.filter((rule) => tabOf(rule) === tab).map((rule) => [rule.id, rule]),
  );
  const left = [...others, id].flatMap((each) => here.get(each) ?? []);
  const waiting = left.find((rule) => rule.id !== id && isWaiting(rule));
  const stays = here.has(id) ? id : null;
  return waiting?.id ?? stays ?? left[0]?.id ?? null;
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

/** Whether something can come of approving a rule: its agent reads a memory, or a file can be chosen for it. */
export function canApprove({ unreached }: Pick<Model, "unreached">, rule: RuleView): boolean {
  const why = unreached.find(({ agent }) => agent === rule.agent)?.kind;
  const isStuck = why === "no-memory" || why === "elsewhere" || why === "no-folder";
  return approveLabel(rule) !== null && !isStuck;
}

/** Whether a key's decision applies to a rule. */
export function canDecide(
  kind: "approve" | "protect" | "reject" | "edit",
  rule: RuleView,
  model: Pick<Model, "unreached">,
): boolean {
  switch (kind) {
    case "approve":
      return canApprove(model, rule);
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

/** What can get the focus: the chosen entry, its title, an open input, the filter, or the bar of the selected rules. */
export type FocusTarget = "entry" | "title" | "field" | "filter" | "bar";

/** The parts of the page that actions need. */
export interface PageHandle {
  readonly model: () => Model;
  readonly show: (model: Model) => void;
  readonly post: (message: PanelMessage) => void;
  /** `shown`: the chosen entry, or its title if that is shown alone. */
  readonly focus: (target: FocusTarget | "shown") => void;
  readonly look: (place: Place) => void;
}

type DecisionActions = Pick<
  Actions,
  "act" | "undoDecided" | "forgetDecided" | "write" | "writeLearned" | "rewrite"
>;

/** Actions on one rule, or on something that was learned, and the undoing of the last decision. */
export function decisionActions({ model, show, post, focus, look }: PageHandle): DecisionActions {
  const act: Actions["act"] = (rule, asked) => {
    const deciding = decidingOf(model(), rule, asked);
    const isTakenBack = asked.kind === "undo" && model().decided.includes(rule.id);
    const decided = isTakenBack ? [] : model().decided;
    show({ ...model(), isBusy: true, trouble: null, deciding, decided });
    post({ type: "act", id: rule.id, act: asked });
  };
  return {
    act,
    undoDecided: () => {
      const [rule, ...others] = undoable(model());
      if (rule === undefined) return;
      if (others.length === 0) {
        look({ kind: "rule", id: rule.id });
        act(rule, { kind: "undo" });
        return;
      }
      show({ ...model(), isBusy: true, trouble: null, decided: [] });
      const ids = [rule, ...others].map(({ id }) => id);
      post({ type: "actOnMany", ids, act: { kind: "undo" } });
    },
    forgetDecided: () => {
      show({ ...model(), decided: [] });
      focus("shown");
    },
    write: (rule, kind) => {
      const text = kind === "edit" ? ruleText(rule, 400) : "";
      show({ ...model(), writing: kind === null ? null : { id: rule.id, kind, text } });
      focus(kind === null ? "title" : "field");
    },
    writeLearned: (item) => {
      const writing = item === null ? null : { id: item.id, kind: "edit" as const, text: item.text };
      show({ ...model(), writing });
      focus(item === null ? "title" : "field");
    },
    rewrite: (text) => {
      const { writing } = model();
      if (writing !== null) show({ ...model(), writing: { ...writing, text } });
    },
  };
}
