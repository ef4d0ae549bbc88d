import { quantile } from "../context/forecast.ts";
import { maybeNumberIn, numberIn, textIn } from "./cell.ts";
import type { Database } from "./database.ts";

/** What purser's own hooks of one event took. */
export interface HookProfileRow {
  readonly event: string;
  readonly count: number;
  /** From the body's arrival to the answer, milliseconds; null where no hook was answered: those of a spool were not. */
  readonly p50: number | null;
  readonly p95: number | null;
  /** What they put into agents' contexts. Characters. */
  readonly injectedChars: number;
}

/** So many of an event, the newest, are what its durations are taken from. */
const mostDurations = 50_000;

/** @param since milliseconds since the epoch */
export function selectHookProfile(db: Database, since: number): HookProfileRow[] {
  const sums = db.rows(
    `SELECT event, count(*), coalesce(sum(injected_chars), 0) FROM hook_events WHERE at >= ?1 GROUP BY event ORDER BY 2 DESC, 1`,
    [since],
    (cells) => ({ event: textIn(cells[0]), count: numberIn(cells[1]), injectedChars: numberIn(cells[2]) }),
  );
  return sums.map((sum) => {
    const durations = db.rows(
      `SELECT duration_ms FROM hook_events WHERE event = ?1 AND at >= ?2 AND duration_ms IS NOT NULL
       ORDER BY at DESC LIMIT ${mostDurations}`,
      [sum.event, since],
      (cells) => maybeNumberIn(cells[0]) ?? 0,
    );
    const sorted = durations.toSorted((a, b) => a - b);
    const at = (share: number) => (sorted.length === 0 ? null : quantile(sorted, share));
    return { ...sum, p50: at(0.5), p95: at(0.95) };
  });
}
