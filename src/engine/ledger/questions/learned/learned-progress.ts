import { sha256Hex } from "../../../base/hash.ts";
import { maybeNumberIn, maybeTextIn, numberIn, textIn } from "../../store/cell.ts";
import type { Database } from "../../store/database.ts";

/** Progress of a task in a file of the past, or in a project. */
export interface LearnCursor {
  readonly id: string;
  readonly stamp: string;
  readonly tasks: string | null;
}

export function selectLearnCursors(db: Database): LearnCursor[] {
  return db.rows("SELECT id, stamp, tasks FROM learn_cursors ORDER BY id", [], ([id, stamp, tasks]) => ({
    id: textIn(id),
    stamp: textIn(stamp),
    tasks: maybeTextIn(tasks),
  }));
}

/** The input for conclusions: for a project, the facts that one task found in its sessions. */
export interface FactsStamp {
  readonly project: string;
  readonly task: string;
  /** Sessions. */
  readonly rows: number;
  /** When the newest of its sessions ended. Milliseconds since the epoch. */
  readonly at: number | null;
  /** Unchanged while nothing changed. */
  readonly stamp: string;
}

export function selectFactsStamps(db: Database): FactsStamp[] {
  return db.rows(
    `SELECT project, task, count(*), max(at), group_concat(id || stamp, ' ')
     FROM (SELECT project, task, at, id, stamp FROM events ORDER BY project, task, id) GROUP BY project, task
     ORDER BY project, task`,
    [],
    ([project, task, rows, at, stamps]) => ({
      project: textIn(project),
      task: textIn(task),
      rows: numberIn(rows),
      at: maybeNumberIn(at),
      stamp: sha256Hex(textIn(stamps), 16),
    }),
  );
}

/** When each session of a project ended, newest first. Milliseconds since the epoch. */
export function selectLearnedSessions(db: Database, project: string): number[] {
  return db.rows(
    "SELECT max(coalesce(at, 0)) FROM events WHERE project = ? GROUP BY session_id ORDER BY 1 DESC",
    [project],
    ([at]) => numberIn(at),
  );
}

/** Facts that one task found in one session. */
export interface SessionFactsRow {
  readonly id: string;
  readonly sessionId: string;
  readonly task: string;
  readonly program: string;
  readonly project: string;
  readonly at: number | null;
  readonly turns: number;
  readonly origin: string | null;
  readonly stamp: string;
  readonly facts: string | null;
}

/** @param asked a null task means all tasks */
export function selectSessionFacts(
  db: Database,
  { project, task }: { readonly project: string; readonly task: string | null },
): SessionFactsRow[] {
  return db.rows(
    `SELECT id, session_id, task, program, project, at, turns, origin, stamp, facts FROM events
     WHERE project = ? AND task = coalesce(?, task) ORDER BY id`,
    [project, task],
    ([id, sessionId, of, program, at, when, turns, origin, stamp, facts]) => ({
      id: textIn(id),
      sessionId: textIn(sessionId),
      task: textIn(of),
      program: textIn(program),
      project: textIn(at),
      at: maybeNumberIn(when),
      turns: numberIn(turns),
      origin: maybeTextIn(origin),
      stamp: textIn(stamp),
      facts: maybeTextIn(facts),
    }),
  );
}
