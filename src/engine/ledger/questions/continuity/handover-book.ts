import * as z from "zod/mini";
import { handoverStates } from "../../entries/handed-over.ts";
import { maybeNumberIn, maybeTextIn, textIn } from "../../store/cell.ts";
import type { Database } from "../../store/database.ts";

/** A document that hands a session's work over, and its later use. */
export interface HandoverRow {
  readonly id: string;
  readonly sessionId: string;
  readonly program: string | null;
  readonly at: number | null;
  readonly folder: string | null;
  readonly branch: string | null;
  readonly headCommit: string | null;
  /** Identifies the uncommitted changes. */
  readonly changes: string | null;
  readonly carriedTokens: number | null;
  readonly documentTokens: number | null;
  readonly state: (typeof handoverStates)[number];
  readonly toProgram: string | null;
  readonly startedAt: number | null;
  /** The session that began with it. */
  readonly toSession: string | null;
  readonly takenAt: number | null;
}

export interface HandoverQuery {
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly most: number;
}

const state = z.enum(handoverStates);

export function selectHandovers(db: Database, { since, most }: HandoverQuery): HandoverRow[] {
  return db.rows(
    `SELECT id, session_id, program, at, folder, branch, head_commit, changes, carried_tokens, document_tokens, state,
       to_program, started_at, to_session, taken_at
     FROM handovers WHERE at >= ? ORDER BY at DESC, id LIMIT ?`,
    [since, most],
    (cells) => ({
      id: textIn(cells[0]),
      sessionId: textIn(cells[1]),
      program: maybeTextIn(cells[2]),
      at: maybeNumberIn(cells[3]),
      folder: maybeTextIn(cells[4]),
      branch: maybeTextIn(cells[5]),
      headCommit: maybeTextIn(cells[6]),
      changes: maybeTextIn(cells[7]),
      carriedTokens: maybeNumberIn(cells[8]),
      documentTokens: maybeNumberIn(cells[9]),
      state: state.parse(cells[10]),
      toProgram: maybeTextIn(cells[11]),
      startedAt: maybeNumberIn(cells[12]),
      toSession: maybeTextIn(cells[13]),
      takenAt: maybeNumberIn(cells[14]),
    }),
  );
}
