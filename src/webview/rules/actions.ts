import type { RuleActAsked, RuleView } from "../../engine/service/rules-view.ts";
import type { Model } from "./page-model.ts";
import type { PanelMessage, Place } from "./protocol.ts";
import type { SelectionForm } from "./page-model.ts";

/** What a person can do. */
export interface Actions {
  /** Chooses it in the list, and goes to it. */
  look(place: Place): void;
  /** Back to the list. */
  back(): void;
  act(rule: RuleView, act: RuleActAsked): void;
  /** Begins to write a reason, or another sentence; null gives it up. */
  write(rule: RuleView, kind: "reject" | "edit" | null): void;
  rewrite(text: string): void;
  say(message: PanelMessage): void;
  /** How rules are to be measured. */
  choose(form: SelectionForm): void;
  toggleTable(): void;
  toggleLegend(): void;
  /** Takes back what was decided last. */
  undoDecided(): void;
  /** Says no more what was decided last. */
  forgetDecided(): void;
}

/** What every part of the page is made of. */
export interface Scene {
  readonly model: Model;
  readonly actions: Actions;
  /** Evidence is shown as a table. */
  readonly isTable: boolean;
  /** There is no room for the list and what is chosen in it side by side. */
  readonly isNarrow: boolean;
  readonly isLegendOpen: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}
