import type { ManyRulesAction } from "../../../engine/rules/answers.ts";
import type { Actions, Model } from "../page-model.ts";
import { withPlace } from "../rules-model.ts";
import type { PageHandle } from "../decision-actions.ts";
import { markedFor, withAllMarked, withMark, withMarksTo } from "./marked.ts";

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
      show({ ...model(), isBusy: true, trouble: null });
      post({ type: "actOnMany", ids, act });
    },
  };
}

function idsFor(model: Model, act: ManyRulesAction): string[] {
  return markedFor(model, act.kind).map(({ id }) => id);
}
