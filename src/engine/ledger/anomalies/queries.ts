import * as z from "zod/mini";
import { readJson } from "../../base/parse.ts";
import type { Anomaly } from "../ledger-answers.ts";
import { anomalyCauses } from "../entries/collected.ts";
import { maybeNumberIn, maybeTextIn, textIn } from "../store/cell.ts";
import type { Database } from "../store/database.ts";

export interface AnomalyQuery {
  /** Only those not yet shown to the user. Default: all. */
  readonly unshownOnly?: boolean;
}

const cause = z.enum(anomalyCauses);
const messageIds = z.array(z.string());

/** Newest first. @param session null for all sessions */
export function selectAnomalies(
  db: Database,
  { unshownOnly = false, session = null }: AnomalyQuery & { readonly session?: string | null },
): Anomaly[] {
  return db.rows(
    `SELECT anomalies.id, session_id, agent_id, cause, at, value, usual, turns, title, cwd, program, shown_at
     FROM anomalies JOIN sessions ON sessions.id = session_id
     WHERE (?1 = 0 OR shown_at IS NULL) AND (?2 IS NULL OR session_id = ?2) ORDER BY at DESC, anomalies.id`,
    [Number(unshownOnly), session],
    (cells) => ({
      id: textIn(cells[0]),
      sessionId: textIn(cells[1]),
      agentId: maybeTextIn(cells[2]),
      cause: cause.parse(cells[3]),
      at: maybeNumberIn(cells[4]),
      value: maybeNumberIn(cells[5]),
      usual: maybeNumberIn(cells[6]),
      turns: turnsIn(maybeTextIn(cells[7])),
      title: maybeTextIn(cells[8]),
      project: maybeTextIn(cells[9]),
      program: maybeTextIn(cells[10]),
      shownAt: maybeNumberIn(cells[11]),
    }),
  );
}

/** Message ids in a JSON list; empty if the text is not such a list. */
function turnsIn(text: string | null): string[] {
  return readJson(messageIds, text) ?? [];
}
