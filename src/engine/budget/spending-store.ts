import { succeed } from "../base/result.ts";
import type { Budgeted } from "./budget-faults.ts";
import { nothingSpent, type Spending } from "./spending.ts";

/** What a change leaves behind, and what its asker is told. */
export interface Changed<Value> {
  /** The same object when nothing is to change. */
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
}

/** Spending that is forgotten when the process ends. */
export class MemorySpending implements SpendingStore {
  #spending: Spending = nothingSpent;

  read(): Promise<Budgeted<Spending>> {
    return Promise.resolve(succeed(this.#spending));
  }

  update<Value>(change: (spending: Spending) => Changed<Value>): Promise<Budgeted<Value>> {
    const { spending, value } = change(this.#spending);
    this.#spending = spending;
    return Promise.resolve(succeed(value));
  }
}
