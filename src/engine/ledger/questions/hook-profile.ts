import { quantile } from "../../sessions/advice.ts";
import { maybeNumberIn, numberIn, textIn } from "../store/cell.ts";
import type { Database } from "../store/database.ts";
import { DurationCounts } from "../sums/by-hook.ts";

/** Durations and injected characters of purser's own hooks, for one event. */
export interface HookProfileRow {
  readonly event: string;
  readonly count: number;
  /**
   * Time from the body's arrival to the answer, milliseconds; null if no hook was answered, as for those read from a
   * spool.
   */
  readonly p50: number | null;
  readonly p95: number | null;
  /** Characters added to agents' contexts. */
  readonly injectedChars: number;
}

/** Maximum durations evaluated per event, newest first. */
const maxDurations = 50_000;

/**
 * For hooks already summed up (`HookSums`), durations are accurate within 5 %, and the whole day of `since` counts.
 *
 * @param since milliseconds since the epoch
 */
export function selectHookProfile(db: Database, since: number): HookProfileRow[] {
  const sums = db.rows(
    `SELECT event, sum(hooks), sum(chars) FROM (
       SELECT event, count(*) AS hooks, coalesce(sum(injected_chars), 0) AS chars FROM hook_events WHERE at >= ?1 GROUP BY event
       UNION ALL
       SELECT event, sum(hooks), sum(injected_chars) FROM hook_sums WHERE day > ?1 - 86400000 GROUP BY event
     ) GROUP BY event ORDER BY 2 DESC, 1`,
    [since],
    (cells) => ({ event: textIn(cells[0]), count: numberIn(cells[1]), injectedChars: numberIn(cells[2]) }),
  );
  return sums.map((sum) => {
    const sorted = durationsOf(db, sum.event, since).toSorted((a, b) => a - b);
    const quantileAt = (share: number) => (sorted.length === 0 ? null : quantile(sorted, share));
    return { ...sum, p50: quantileAt(0.5), p95: quantileAt(0.95) };
  });
}

function durationsOf(db: Database, event: string, since: number): number[] {
  const durations = db.rows(
    `SELECT duration_ms FROM hook_events WHERE event = ?1 AND at >= ?2 AND duration_ms IS NOT NULL
     ORDER BY at DESC LIMIT ${maxDurations}`,
    [event, since],
    (cells) => maybeNumberIn(cells[0]) ?? 0,
  );
  if (durations.length === maxDurations) return durations;
  const summed = db.rows(
    "SELECT durations FROM hook_sums WHERE event = ?1 AND day > ?2 - 86400000 ORDER BY day DESC",
    [event, since],
    ([text]) => textIn(text),
  );
  for (const text of summed)
    for (const duration of new DurationCounts(text).durations()) {
      if (durations.length === maxDurations) return durations;
      durations.push(duration);
    }
  return durations;
}
