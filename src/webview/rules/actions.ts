import type { RuleActAsked, RuleView } from "../../engine/service/rules-view.ts";
import type { PageActions, PageScene } from "../components/page.ts";
import type { Model } from "./model.ts";
import type { PanelMessage, Place } from "./protocol.ts";
import type { SelectionForm } from "./selection.ts";

/** What a person can do. */
export interface Actions extends PageActions {
  /** Chooses it in the list, and goes to it. */
  look(place: Place): void;
  act(rule: RuleView, act: RuleActAsked): void;
  /** Begins to write a reason, or another sentence; null gives it up. */
  write(rule: RuleView, kind: "reject" | "edit" | null): void;
  rewrite(text: string): void;
  post(message: PanelMessage): void;
  /** How rules are to be measured. */
  choose(form: SelectionForm): void;
  toggleLegend(): void;
  /** Takes back what was decided last. */
  undoDecided(): void;
  /** Says no more what was decided last. */
  forgetDecided(): void;
}

export interface Scene extends PageScene<Model, Actions> {
  /** There is no room for the list and what is chosen in it side by side. */
  readonly isNarrow: boolean;
  readonly isLegendOpen: boolean;
}

/** The charts of evidence and of learning, which turn into tables together. */
export const figures = "figures";
