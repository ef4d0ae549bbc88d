import { maybeTextIn, numberIn, textIn } from "../store/cell.ts";
import type { Database } from "../store/database.ts";

/** How often something was used in a folder. */
export interface FolderCount {
  /** The session's folder, or null if not reported. */
  readonly cwd: string | null;
  /** The coding agent for sessions, the type for subagents, the name for skills. */
  readonly name: string;
  readonly count: number;
}

/** How often the user's files were added to contexts, as far as sessions report it. */
export interface UseCounts {
  /** Active sessions. */
  readonly sessions: readonly FolderCount[];
  /** Subagents of these sessions. */
  readonly subagents: readonly FolderCount[];
  /** Calls of skills. */
  readonly skills: readonly FolderCount[];
}

/**
 * Leaves out bench sessions, which are in none of the user's folders and have no coding agent here. @param since
 * milliseconds since the epoch
 */
export function selectUseCounts(db: Database, since: number): UseCounts {
  const counted = (sql: string) =>
    db.rows(sql, [since], ([cwd, name, count]) => ({
      cwd: maybeTextIn(cwd),
      name: textIn(name),
      count: numberIn(count),
    }));
  return {
    sessions: counted(
      `SELECT cwd, program, count(*) FROM sessions
       WHERE last_at >= ? AND program IS NOT NULL GROUP BY cwd, program ORDER BY cwd, program`,
    ),
    subagents: counted(
      `SELECT cwd, type, count(*) FROM subagents JOIN sessions ON sessions.id = subagents.session_id
       WHERE last_at >= ? AND type IS NOT NULL GROUP BY cwd, type ORDER BY cwd, type`,
    ),
    skills: counted(
      `SELECT cwd, skill, count(*) FROM tool_calls JOIN sessions ON sessions.id = tool_calls.session_id
       WHERE at >= ? AND skill IS NOT NULL GROUP BY cwd, skill ORDER BY cwd, skill`,
    ),
  };
}
