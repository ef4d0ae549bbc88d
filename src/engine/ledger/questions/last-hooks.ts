import { numberIn, textIn } from "../store/cell.ts";
import type { Database } from "../store/database.ts";

export interface LastHook {
  readonly program: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/**
 * Leaves out hooks from the spool, which were not answered.
 *
 * @param since milliseconds since the epoch
 */
export function selectLastHooks(db: Database, since: number): LastHook[] {
  return db.rows(
    `SELECT program, max(at) FROM hook_events JOIN sessions ON sessions.id = session_id
     WHERE at >= ?1 AND duration_ms IS NOT NULL AND program IS NOT NULL GROUP BY program ORDER BY program`,
    [since],
    (cells) => ({ program: textIn(cells[0]), at: numberIn(cells[1]) }),
  );
}
