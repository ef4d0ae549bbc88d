import { textIn } from "../store/cell.ts";
import type { Database } from "../store/database.ts";
import { SummedBefore } from "./summed-before.ts";

/** How long single hits of guard rules are kept; after that only their sums by session and day (UTC) remain. Milliseconds. */
export const guardHitsKeptFor = 90 * 86_400_000;
const day = 86_400_000;

/**
 * Hits of guard rules, each with its outcome: the user's decision overrides the result of later calls. '' where the
 * outcome is unknown.
 */
const singleHits = `
  SELECT h.session_id, h.at, h.rule, h.family, h.action, h.done, coalesce(u.outcome, c.outcome, '') AS outcome, 1 AS hits,
    coalesce(h.saved_bytes, 0) AS saved_bytes
  FROM guard_hits h
  LEFT JOIN guard_outcomes u ON u.id = h.id AND u.source = 'user'
  LEFT JOIN guard_outcomes c ON c.id = h.id AND c.source = 'calls'`;

/** The same, with sums of old ones, which have the time of the last hit. */
export const guardCounts = `(${singleHits}
  UNION ALL SELECT session_id, last_at, rule, family, action, done, outcome, hits, saved_bytes FROM guard_sums)`;

/** Replaces hits from before a time, and their outcomes, with sums. Repeating it changes nothing, as with `HookSums`. */
export class GuardSums {
  readonly #db: Database;
  readonly #summed: SummedBefore;

  constructor(db: Database) {
    this.#db = db;
    this.#summed = new SummedBefore(db, "guard_summed");
  }

  has(at: number | null | undefined): boolean {
    return this.#summed.has(at);
  }

  /** @param before milliseconds since the epoch @returns the sessions of these hits */
  sum(before: number): readonly string[] {
    const sessions = this.#db.rows(
      "SELECT DISTINCT session_id FROM guard_hits WHERE at < ?",
      [before],
      ([session]) => textIn(session),
    );
    this.#db.run(
      `INSERT INTO guard_sums
       SELECT at - ((at % ${day}) + ${day}) % ${day}, session_id, rule, family, action, done, outcome, sum(hits), sum(saved_bytes), max(at)
       FROM (${singleHits}) WHERE at < ? GROUP BY 1, 2, 3, 4, 5, 6, 7
       ON CONFLICT DO UPDATE SET hits = hits + excluded.hits, saved_bytes = saved_bytes + excluded.saved_bytes,
         last_at = max(last_at, excluded.last_at)`,
      [before],
    );
    this.#db.run("DELETE FROM guard_outcomes WHERE id IN (SELECT id FROM guard_hits WHERE at < ?)", [before]);
    this.#db.run("DELETE FROM guard_hits WHERE at < ?", [before]);
    this.#db.run("DELETE FROM guard_follow_ups WHERE at < ?", [before]);
    this.#summed.set(before);
    return sessions;
  }

  /** Drops the cached time, which a rollback may have undone. */
  forget(): void {
    this.#summed.forget();
  }
}
