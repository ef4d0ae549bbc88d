import type { LedgerThread } from "./thread.ts";

/** The part of `LedgerThread` that its clients use. */
export type LedgerApi = Pick<
  LedgerThread,
  | "report"
  | "readOnly"
  | "ask"
  | "append"
  | "collect"
  | "configure"
  | "snapshot"
  | "compact"
  | "check"
  | "backup"
  | "close"
  | "onAppend"
  | "onAnomaly"
  | "onProblem"
  | "onDeath"
>;
