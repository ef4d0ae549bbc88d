import type { GuardFamily, GuardMode } from "../../engine/guard/answers.ts";
import type { PageActions, PageContext } from "../components/components-page.ts";
import type { Model } from "./guard-model.ts";
import type { AskedReplay, PanelMessage, PanelState, Span, Wish } from "./protocol.ts";

/** Actions of the Guard panel. */
export interface Actions extends PageActions {
  /** Posts a message that changes nothing on the page. */
  post(message: PanelMessage): void;
  showDays(days: Span): void;
  /** @param family null for all @param mode null for the mode of all */
  setMode(family: GuardFamily | null, mode: GuardMode | null): void;
  /** Stores what is filtered. */
  filter(change: Partial<Pick<PanelState, "family" | "search">>): void;
  /** Stores what the next replay plays. */
  chooseReplay(change: Partial<AskedReplay>): void;
  openRule(id: string): void;
  /** Shows or hides the choices of an exception. */
  choose(hit: string | null): void;
  except(hit: string, wish: Wish): void;
  undo(): void;
  /** Resumes a rule with advice that has fallen silent. */
  wake(rule: string): void;
}

export type RenderContext = PageContext<Model, Actions>;
