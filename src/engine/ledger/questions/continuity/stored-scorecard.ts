import { maybeTextIn } from "../../store/cell.ts";
import type { Database } from "../../store/database.ts";

/** Returns a session's scorecard as of the session's end, as JSON text; null if there is none. */
export function selectStoredScorecard(db: Database, sessionId: string): string | null {
  return (
    db.first("SELECT card FROM scorecards WHERE session_id = ?", [sessionId], ([card]) =>
      maybeTextIn(card),
    ) ?? null
  );
}
