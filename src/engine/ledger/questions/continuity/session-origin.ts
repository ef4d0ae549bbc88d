import { flagIn } from "../../store/cell.ts";
import type { Database } from "../../store/database.ts";
import { factColumns, factsIn, readSessionFacts, type SessionFacts } from "../../store/session-facts.ts";

/** The origin of a session. */
export interface SessionOrigin {
  readonly title: string | null;
  /** Whether it was forked from another. */
  readonly isFork: boolean;
  /** Whether it runs a golden task. */
  readonly isTask: boolean;
}

/** Null for an unknown session. */
export function selectSessionOrigin(db: Database, id: string): SessionOrigin | null {
  const facts = readSessionFacts(db, id).get(id);
  if (facts === undefined) return null;
  const isTask = db.first(
    "SELECT EXISTS (SELECT 1 FROM runs WHERE session_id = ? AND task_hash IS NOT NULL)",
    [id],
    ([found]) => flagIn(found),
  );
  return { title: facts.title, isFork: facts.parentId !== null, isTask: isTask === true };
}

/**
 * Returns the session with an id, else at most two with an id that begins with it; for null, the most recently active
 * one.
 */
export function selectSessionsNamed(db: Database, id: string | null): SessionFacts[] {
  const newest = "ORDER BY last_at DESC, id LIMIT";
  if (id === null) return db.rows(`SELECT ${factColumns} FROM sessions ${newest} 1`, [], factsIn);
  const whole = readSessionFacts(db, id).get(id);
  if (whole !== undefined) return [whole];
  const begins = "substr(id, 1, length(?)) = ?";
  return db.rows(`SELECT ${factColumns} FROM sessions WHERE ${begins} ${newest} 2`, [id, id], factsIn);
}
