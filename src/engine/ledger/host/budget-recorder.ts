import type { Disposable } from "../../base/events.ts";
import type { Freshness } from "../answers.ts";

/** Reports the ledger's usage to budgets, as the ledger's holder needs it. */
export interface LedgerRecorder extends Disposable {
  /** Budgets that cannot be used, and spending that could not be written. */
  readonly problems: readonly Freshness["problems"][number][];
  /** Calls the listener with a project's folder when something new was recorded there. */
  readonly onRecorded: (listener: (project: string) => void) => Disposable;
  /** Requests a recording soon. */
  ask(): void;
  /** Records new usage. */
  record(): Promise<void>;
  /** Resolves when all of a project's usage in the ledger is recorded for its budgets. */
  sync(
    project: string,
    asked: { readonly budgets: readonly object[]; readonly isDoubted?: boolean },
  ): Promise<void>;
  /** Records new usage, then disposes. */
  stop(): Promise<void>;
}
