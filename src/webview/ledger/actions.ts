import type { Metric } from "./measure.ts";
import type { Model } from "./model.ts";
import type { Question } from "./protocol.ts";

/** What a person can do. */
export interface Actions {
  ask(question: Question): void;
  openSession(id: string): void;
  back(): void;
  exportAs(format: "csv" | "json"): void;
  openTranscript(id: string): void;
  retry(): void;
  getStarted(): void;
  showLog(): void;
  setMetric(metric: Metric): void;
  setBreakdown(id: string): void;
  toggleTable(chart: string): void;
  /** Moves the context chart of the session to the response. */
  showTurn(messageId: string): void;
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
