import type { CompareAsk } from "../../engine/service/compare-view.ts";
import type { PageActions, PageScene } from "../components/page.ts";
import type { Model } from "./model.ts";
import type { ExportFormat, Place } from "./protocol.ts";

/** What a person can do. */
export interface Actions extends PageActions {
  look(place: Place): void;
  /** Chooses step by step, in the editor's own list. */
  pick(): void;
  /** Plans this. */
  choose(ask: CompareAsk): void;
  start(ask: CompareAsk): void;
  cancel(id: string): void;
  resume(id: string): void;
  export(id: string, format: ExportFormat): void;
  openRun(id: string, runId: string, beside: string | null): void;
}

export type Scene = PageScene<Model, Actions>;
