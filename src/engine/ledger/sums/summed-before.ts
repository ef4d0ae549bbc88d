import { maybeNumberIn } from "../store/cell.ts";
import type { Database } from "../store/database.ts";

/** A transaction's changes stay in memory until it ends. */
const atOnce = 500;
const day = 86_400_000;

/**
 * The time before which rows are to be summed up or removed next, a few hundred at once; null when all remaining ones
 * stay.
 *
 * Relies neither on the clock nor on a row's time alone, as either may be wrong. The result is just after the time of
 * an existing row, so that later rows are not taken for ones already handled.
 *
 * @param keptFor milliseconds
 * @param now milliseconds since the epoch
 */
export function nextAged(
  db: Database,
  table: "guard_hits" | "hook_events" | "resume_packets" | "scorecards",
  { keptFor, now }: { readonly keptFor: number; readonly now: number },
): number | null {
  const newest = timeIn(db, `SELECT max(at) FROM ${table}`, []);
  if (newest === null) return null;
  const limit = Math.floor((Math.min(now, newest) - keptFor) / day) * day;
  const some = `SELECT at FROM ${table} WHERE at < ? ORDER BY at LIMIT ${atOnce}`;
  const last = timeIn(db, `SELECT max(at) FROM (${some})`, [limit]);
  return last === null ? null : last + 1;
}

/** The stored time before which rows are summed up. */
export class SummedBefore {
  readonly #db: Database;
  readonly #key: string;
  /** Undefined until it is read, null when nothing is summed up. */
  #before: number | null | undefined;

  /** @param key of the table `meta` */
  constructor(db: Database, key: string) {
    this.#db = db;
    this.#key = key;
  }

  /** Whether rows of this time are already summed up. */
  has(at: number | null | undefined): boolean {
    if (this.#before === undefined)
      this.#before = timeIn(this.#db, "SELECT value FROM meta WHERE key = ?", [this.#key]);
    return at !== null && at !== undefined && this.#before !== null && at < this.#before;
  }

  /** @param before milliseconds since the epoch */
  set(before: number): void {
    this.#db.run(
      "INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = max(value, excluded.value)",
      [this.#key, before],
    );
    this.forget();
  }

  /** Drops the cached time, which a rollback may have undone. */
  forget(): void {
    this.#before = undefined;
  }
}

function timeIn(db: Database, sql: string, values: (number | string)[]): number | null {
  return db.first(sql, values, ([value]) => maybeNumberIn(value)) ?? null;
}
