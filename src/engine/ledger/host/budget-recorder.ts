import type { Disposable } from "../../base/disposable.ts";
import type { Freshness } from "../answers.ts";

/** What reports the usage in a ledger to budgets, as the ledger's holder needs it. */
export interface LedgerRecorder extends Disposable {
  /** Budgets that cannot be used, and spending that cannot be written. */
  readonly problems: readonly Freshness["problems"][number][];
  /** Calls back with a project's folder when something new was recorded there. */
  readonly onRecorded: (listener: (project: string) => void) => Disposable;
  /** Requests a recording soon. */
  ask(): void;
  /** Records what is new. */
  record(): Promise<void>;
  /** Resolves when all the ledger has of a project is recorded for its budgets. */
  sync(
    project: string,
    asked: { readonly budgets: readonly object[]; readonly isDoubted?: boolean },
  ): Promise<void>;
  /** Records what is new, then disposes. */
  stop(): Promise<void>;
}
