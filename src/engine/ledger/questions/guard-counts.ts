import { maybeNumberIn, numberIn, textIn } from "../store/cell.ts";
import type { Database } from "../store/database.ts";

/** How often a guard rule fired, whatever was done about it. */
export interface GuardCount {
  readonly rule: string;
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly lastAt: number | null;
}

/** Counts how often each guard rule has fired since a time. */
export function selectGuardCounts(db: Database, since: number): GuardCount[] {
  return db.rows(
    "SELECT rule, count(*), max(at) FROM guard_hits WHERE at >= ? GROUP BY rule ORDER BY rule",
    [since],
    ([rule, count, lastAt]) => ({
      rule: textIn(rule),
      count: numberIn(count),
      lastAt: maybeNumberIn(lastAt),
    }),
  );
}
