import type { Actions, Model } from "./page-model.ts";
import { decidingOf, undoable } from "./decision.ts";
import { ruleText } from "./names.ts";
import type { PanelMessage, Place } from "./protocol.ts";

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
