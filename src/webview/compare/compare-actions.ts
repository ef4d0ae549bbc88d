import type { CompareAsk } from "../../engine/jobs/answers/compare.ts";
import type { PageActions, PageContext } from "../components/components-page.ts";
import type { Model } from "./compare-model.ts";
import type { ExportFormat, Place } from "./protocol.ts";

/** Actions of the Compare panel. */
export interface Actions extends PageActions {
  look(place: Place): void;
  /** Starts choosing a comparison, step by step in the editor's quick pick. */
  pick(): void;
  /** Requests a plan, and shows it. */
  choose(ask: CompareAsk): void;
  /** Gives up the plan that was not started. */
  discard(): void;
  start(ask: CompareAsk): void;
  cancel(id: string): void;
  resume(id: string): void;
  export(id: string, format: ExportFormat): void;
  openRun(id: string, runId: string, beside: string | null): void;
}

export type RenderContext = PageContext<Model, Actions>;
