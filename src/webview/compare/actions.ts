import type { CompareAsk } from "../../engine/service/compare-view.ts";
import type { Model } from "./model.ts";
import type { ExportFormat, Place } from "./protocol.ts";

/** What a person can do. */
export interface Actions {
  look(place: Place): void;
  back(): void;
  /** Chooses step by step, in the editor's own list. */
  pick(): void;
  /** Plans this. */
  choose(ask: CompareAsk): void;
  start(ask: CompareAsk): void;
  cancel(id: string): void;
  resume(id: string): void;
  export(id: string, format: ExportFormat): void;
  openRun(id: string, runId: string, beside: string | null): void;
  retry(): void;
  showLog(): void;
  toggleTable(chart: string): void;
}

/** What every part of a page is made of. */
export interface Scene {
  readonly model: Model;
  readonly actions: Actions;
  /** The charts that are shown as tables. */
  readonly tables: ReadonlySet<string>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}
