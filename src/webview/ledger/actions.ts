import type { PageActions, PageContext } from "../components/page.ts";
import type { Metric } from "./measure.ts";
import type { Model } from "./model.ts";
import type { Question } from "./protocol.ts";

/** Actions of the Ledger panel. */
export interface Actions extends PageActions {
  ask(question: Question): void;
  openSession(id: string): void;
  exportAs(format: "csv" | "json"): void;
  openTranscript(id: string): void;
  getStarted(): void;
  setMetric(metric: Metric): void;
  setBreakdown(id: string): void;
  /** Moves the session's context chart to the response. */
  showTurn(messageId: string): void;
}

export type RenderContext = PageContext<Model, Actions>;
