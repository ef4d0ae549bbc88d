import { succeed } from "../../base/result.ts";
import type { Budgeted } from "../faults.ts";
import { mergedTotals, type SessionTotals } from "./session-totals.ts";
import { nothingSpent, type Spending } from "./spending.ts";

/** What a change leaves behind, and what its asker is told. */
export interface Changed<Value> {
  /** The same object when nothing is to change. The ledgers' totals are not to be changed here. */
  readonly spending: Spending;
  readonly value: Value;
}

/**
 * Where a project's spending is kept. There are two, and whoever spends does not know which:
 *
 * - `FileSpending`, in the project's `.purser/spending`. The CLI, benchmark runs, services of several users, and a service that was
 *   killed and started again share it. It is the default, because a limit that is hard must hold between processes that
 *   know nothing of each other.
 * - `MemorySpending`, in one process. For tests, and for a service that answers hooks within a millisecond where nobody else spends.
 *
 * Both make a change as a whole or not at all, one after the other.
 */
export interface SpendingStore {
  read(): Promise<Budgeted<Spending>>;
  /**
   * Makes a change that nobody else's comes between.
   * @param change called again when somebody else was first. It must change nothing when what it would do is done already:
   *   whether the first attempt was written is not always known.
   */
  update<Value>(change: (spending: Spending) => Changed<Value>): Promise<Budgeted<Value>>;
  /**
   * Puts what one ledger has of the project in the place of what it told before: all of it, so that nothing that was told earlier, in
   * whatever order, can be counted beside it.
   */
  tellTotals(ledgerId: string, sessions: readonly SessionTotals[]): Promise<Budgeted<null>>;
  /** What one ledger told last; none where that is not known any more. */
  toldBy(ledgerId: string): Promise<readonly SessionTotals[]>;
  /** Whether that is still there: a person may have removed it. */
  hasToldBy(ledgerId: string): Promise<boolean>;
}

/** Spending that is forgotten when the process ends. */
export class MemorySpending implements SpendingStore {
  #spending: Spending = nothingSpent;
  readonly #told = new Map<string, readonly SessionTotals[]>();

  read(): Promise<Budgeted<Spending>> {
    return Promise.resolve(succeed(this.#spending));
  }

  update<Value>(change: (spending: Spending) => Changed<Value>): Promise<Budgeted<Value>> {
    const { spending, value } = change(this.#spending);
    this.#spending = spending;
    return Promise.resolve(succeed(value));
  }

  tellTotals(ledgerId: string, sessions: readonly SessionTotals[]): Promise<Budgeted<null>> {
    this.#told.set(ledgerId, sessions);
    this.#spending = { ...this.#spending, totals: mergedTotals([...this.#told.values()]) };
    return Promise.resolve(succeed(null));
  }

  toldBy(ledgerId: string): Promise<readonly SessionTotals[]> {
    return Promise.resolve(this.#told.get(ledgerId) ?? []);
  }

  hasToldBy(ledgerId: string): Promise<boolean> {
    return Promise.resolve(this.#told.has(ledgerId));
  }
}
