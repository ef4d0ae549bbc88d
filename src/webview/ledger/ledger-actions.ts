import type { PageActions, PageContext } from "../components/components-page.ts";
import type { Metric } from "./measure-ledger.ts";
import type { Model } from "./ledger-model.ts";
import type { Question } from "./protocol.ts";

/** Actions of the Ledger panel. */
export interface Actions extends PageActions {
  ask(question: Question): void;
  openSession(id: string): void;
  exportAs(format: "csv" | "json"): void;
  openTranscript(id: string): void;
  handOver(id: string): void;
  getStarted(): void;
  setMetric(metric: Metric): void;
  setBreakdown(id: string): void;
  /** Moves the session's context chart to the response. */
  showTurn(messageId: string): void;
  /** Sends items that a compaction lost to the agent again. */
  putBack(session: string, diff: string, items: readonly string[]): void;
}

export type RenderContext = PageContext<Model, Actions>;
