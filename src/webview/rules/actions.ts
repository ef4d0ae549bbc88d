import type { LearnedItem } from "../../engine/continuity/answers/learn.ts";
import type { RuleActionRequest, RuleView } from "../../engine/rules/answers.ts";
import type { PageActions, PageContext } from "../components/page.ts";
import type { Model, SelectionForm } from "./page-model.ts";
import type { PanelMessage, Place } from "./protocol.ts";

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
