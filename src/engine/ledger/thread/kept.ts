import type { LedgerThread } from "./thread.ts";

/** As much of a ledger in a thread as is asked of it here. */
export type KeptLedger = Pick<
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
