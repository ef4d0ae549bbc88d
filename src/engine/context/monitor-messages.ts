import type { LiveSnapshot } from "./live-snapshot.ts";

/** What a host hands to the monitor's thread first. */
export interface MonitorTask {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The built `learn-worker`. */
  readonly learnWorker: string;
  /** As the user wrote them. */
  readonly settings: unknown;
}

/** To the thread: first what to do, then what changed. */
export type MonitorRequest =
  | { readonly kind: "start"; readonly task: MonitorTask }
  | { readonly kind: "configure"; readonly settings: unknown };

/** From the thread. */
export type MonitorReport =
  | { readonly kind: "snapshot"; readonly snapshot: LiveSnapshot }
  /** Something went wrong that the thread survives; for the log. */
  | { readonly kind: "problem"; readonly message: string };
