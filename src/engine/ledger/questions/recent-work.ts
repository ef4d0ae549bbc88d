import { isMainRun } from "../main-agent.ts";
import { maybeNumberIn, maybeTextIn, textIn } from "../store/cell.ts";
import type { Database } from "../store/database.ts";
import { countPrompts } from "./trial-book.ts";

/**
 * A session of real work with the facts that a draw at its beginning would have known, and the results of its completed
 * prompts.
 */
export interface WorkSession {
  readonly program: string;
  /** The folder it began in. */
  readonly cwd: string | null;
  readonly branch: string | null;
  /** Milliseconds since the epoch. */
  readonly firstAt: number | null;
  /** Length of its first prompt. */
  readonly promptChars: number | null;
  /** As in `PromptCounts`. */
  readonly completed: number;
  readonly meanLog: number;
  readonly squares: number;
}

/** The newest sessions of Claude Code with a completed prompt, at most `most`, without benches and forks. */
export function selectRecentWork(db: Database, most: number): WorkSession[] {
  const sessions = db.rows(
    `SELECT id, program, cwd, branch, first_at,
       (SELECT prompt_chars FROM runs WHERE session_id = sessions.id AND ${isMainRun("runs")}
        ORDER BY coalesce(started_at, ended_at), rowid LIMIT 1)
     FROM sessions WHERE program = 'claude-code' AND parent_id IS NULL
       AND EXISTS (SELECT 1 FROM runs WHERE session_id = sessions.id AND completed = 1 AND ${isMainRun("runs")})
       AND NOT EXISTS (SELECT 1 FROM runs WHERE session_id = sessions.id AND task_hash IS NOT NULL)
     ORDER BY last_at DESC, id LIMIT ?`,
    [most],
    (cells) => ({
      id: textIn(cells[0]),
      program: textIn(cells[1]),
      cwd: maybeTextIn(cells[2]),
      branch: maybeTextIn(cells[3]),
      firstAt: maybeNumberIn(cells[4]),
      promptChars: maybeNumberIn(cells[5]),
    }),
  );
  return sessions.flatMap(({ id, ...known }) => {
    const { completed, meanLog, squares } = countPrompts(db, id);
    return meanLog === null ? [] : [{ ...known, completed, meanLog, squares }];
  });
}
