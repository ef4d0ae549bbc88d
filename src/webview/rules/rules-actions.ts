import type { LearnedItem } from "../../engine/continuity/answers/learn.ts";
import type { ManyRulesAction, RuleActionRequest, RuleView } from "../../engine/rules/answers.ts";
import type { PageActions, PageContext } from "../components/components-page.ts";
import type { Model, SelectionForm } from "./page-model.ts";
import type { Filter, PanelMessage, Place } from "./protocol.ts";

/** Actions of the Rule Review panel. */
export interface Actions extends PageActions {
  /** Chooses an entry of the list, and opens it. */
  look(place: Place): void;
  act(rule: RuleView, act: RuleActionRequest): void;
  /** Opens the input for a reason or another sentence; null closes it. */
  write(rule: RuleView, kind: "reject" | "edit" | null): void;
  /** Opens the input for other words of something that was learned; null closes it. */
  writeLearned(item: LearnedItem | null): void;
  rewrite(text: string): void;
  post(message: PanelMessage): void;
  /** Opens what confirming the rules of an agent that passed, as a whole, would take. */
  confirmTogether(agent: string): void;
  /** Chooses how rules are measured. */
  choose(form: SelectionForm): void;
  /** Chooses which rules the list shows. */
  filter(filter: Filter): void;
  /** Chooses the first entry that the filter leaves. */
  lookAtFirst(): void;
  /** Selects a rule beside others, or no longer. */
  mark(id: string): void;
  /** Selects all rules from the chosen one to this one. */
  markTo(id: string): void;
  /** Selects these rules, or all listed ones. If all are selected, deselects them. */
  markAll(ids?: string[]): void;
  clearMarks(): void;
  /** Shows what is to be done with the selected rules, before it is; null closes it. */
  askMany(kind: "letIn" | "reject" | null, why?: string): void;
  actOnMarked(act: ManyRulesAction): void;
  toggleLegend(): void;
  /** Undoes the last decision. */
  undoDecided(): void;
  /** Closes the bar that names the last decision. */
  forgetDecided(): void;
}

export interface RenderContext extends PageContext<Model, Actions> {
  /** The window is too narrow for the list and the chosen entry side by side. */
  readonly isNarrow: boolean;
  readonly isLegendOpen: boolean;
}

/** The charts of evidence and of learning, which are switched to tables together. */
export const figures = "figures";
