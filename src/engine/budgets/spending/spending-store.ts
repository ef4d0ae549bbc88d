import { succeed } from "../../base/result.ts";
import type { Budgeted } from "../faults.ts";
import { mergedTotals, type SessionTotals } from "./session-totals.ts";
import { nothingSpent, type Spending } from "./spending.ts";

export interface Changed<Value> {
  /** The same object if nothing changes. The ledgers' totals must not be changed here. */
  readonly spending: Spending;
  readonly value: Value;
}

/**
 * Storage of a project's spending. Callers do not know which implementation they use:
 *
 * - `FileSpending`, in the project's `.purser/spending`. The CLI, benchmark runs, services of several users, and a restarted service
 * share it, because a hard limit must hold between processes that know nothing of each other.
 * - `PlacedSpending`, there or, where a folder is not trusted, in purser's home. It is the default.
 * - `MemorySpending`, in one process. For tests, and for a service that answers hooks within a millisecond when nobody else spends.
 *
 * Both make changes atomically, one after the other.
 */
export interface SpendingStore {
  /** The folders that get a new modification time with each change. */
  readonly folders: readonly string[];
  read(): Promise<Budgeted<Spending>>;
  /**
   * Makes a change atomically.
   * @param change called again when another process was first. It must change nothing if its effect is already there: whether the
   * first attempt was written is not always known.
   */
  update<Value>(change: (spending: Spending) => Changed<Value>): Promise<Budgeted<Value>>;
  /** Replaces the totals of one ledger as a whole, so that no earlier figure, in whatever order, can be counted as well. */
  writeTotals(ledgerId: string, sessions: readonly SessionTotals[]): Promise<Budgeted<null>>;
  /** Returns the last totals of one ledger. Empty if they are no longer known. */
  totalsBy(ledgerId: string): Promise<readonly SessionTotals[]>;
  /** Whether the totals of a ledger are still stored: a person may have removed them. */
  hasTotalsBy(ledgerId: string): Promise<boolean>;
}

/** Spending that is forgotten when the process ends. */
export class MemorySpending implements SpendingStore {
  readonly folders: readonly string[] = [];
  #spending: Spending = nothingSpent;
  readonly #totals = new Map<string, readonly SessionTotals[]>();

  read(): Promise<Budgeted<Spending>> {
    return Promise.resolve(succeed(this.#spending));
  }

  update<Value>(change: (spending: Spending) => Changed<Value>): Promise<Budgeted<Value>> {
    const { spending, value } = change(this.#spending);
    this.#spending = spending;
    return Promise.resolve(succeed(value));
  }

  writeTotals(ledgerId: string, sessions: readonly SessionTotals[]): Promise<Budgeted<null>> {
    this.#totals.set(ledgerId, sessions);
    this.#spending = { ...this.#spending, totals: mergedTotals([...this.#totals.values()]) };
    return Promise.resolve(succeed(null));
  }

  totalsBy(ledgerId: string): Promise<readonly SessionTotals[]> {
    return Promise.resolve(this.#totals.get(ledgerId) ?? []);
  }

  hasTotalsBy(ledgerId: string): Promise<boolean> {
    return Promise.resolve(this.#totals.has(ledgerId));
  }
}
