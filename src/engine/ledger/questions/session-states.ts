import { readJson } from "../../base/parse.ts";
import type { SessionState } from "../ledger-answers.ts";
import { stateDetails } from "../entries/continuity-entries.ts";
import { maybeNumberIn, maybeTextIn, numberIn, textIn, type Cell } from "../store/cell.ts";
import type { Database } from "../store/database.ts";

export interface StatesQuery {
  /** A session's id, or its beginning; null for the session with the newest state. */
  readonly id: string | null;
  /** The id is complete. */
  readonly isWhole?: boolean;
}

const columns = `session_id, turn, at, program, folder, phase, trust, focus, calls, errors, switches, dead_ends, edited,
  verified, details`;

/** Returns the newest state of the session with an id, else of at most two sessions with an id that begins with it. */
export function selectSessionStates(db: Database, { id, isWhole = false }: StatesQuery): SessionState[] {
  if (id === null)
    return db.rows(
      `SELECT ${columns} FROM session_states ORDER BY at DESC, turn DESC, session_id LIMIT 1`,
      [],
      stateIn,
    );
  const whole = db.rows(
    `SELECT ${columns} FROM session_states WHERE session_id = ? ORDER BY turn DESC LIMIT 1`,
    [id],
    stateIn,
  );
  if (isWhole || whole.length > 0) return whole;
  return db.rows(
    `SELECT ${columns} FROM session_states AS state WHERE substr(session_id, 1, length(?)) = ? AND
       turn = (SELECT max(turn) FROM session_states WHERE session_id = state.session_id)
     ORDER BY at DESC, session_id LIMIT 2`,
    [id, id],
    stateIn,
  );
}

function stateIn(cells: readonly Cell[]): SessionState {
  return {
    sessionId: textIn(cells[0]),
    turn: numberIn(cells[1]),
    at: maybeNumberIn(cells[2]),
    program: maybeTextIn(cells[3]),
    folder: maybeTextIn(cells[4]),
    phase: textIn(cells[5]),
    trust: numberIn(cells[6]),
    focus: numberIn(cells[7]),
    calls: numberIn(cells[8]),
    errors: numberIn(cells[9]),
    switches: numberIn(cells[10]),
    deadEnds: numberIn(cells[11]),
    edited: numberIn(cells[12]),
    verified: numberIn(cells[13]),
    details: readJson(stateDetails, maybeTextIn(cells[14])),
  };
}
