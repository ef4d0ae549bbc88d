import * as z from "zod/mini";
import type { StoredResponse, StoredWork, StoredWorkQuery } from "../../sessions/live.ts";
import { shortened } from "../collect/records/records-entries.ts";
import { isMainRun } from "../store/run-conditions.ts";
import { flagIn, maybeNumberIn, maybeTextIn, numberIn, textIn } from "../store/cell.ts";
import { detailColumns, detailsIn, usageColumns, usageIn } from "../store/counted-row.ts";
import type { Database } from "../store/database.ts";
import { readSessionFacts } from "../store/session-facts.ts";

const trigger = z.enum(["auto", "manual", "unknown"]);
const nothing: StoredWork = { responses: [], calls: [], prompts: [], compactions: [], cwd: null };

/** The counted responses of a session that the caller does not know, and the rows that belong to them. */
export function selectStoredWork(
  db: Database,
  { agent, sessionId, messages, until }: StoredWorkQuery,
): StoredWork {
  const facts = readSessionFacts(db, sessionId).get(sessionId);
  // The counts of an earlier version may be wrong until the file is read again.
  if (facts === undefined || (facts.program ?? agent) !== agent || facts.isCountedBefore) return nothing;
  const responses = responsesBut(new Set(messages.map(shortened)), db, sessionId).filter(
    ({ response: { at } }) => at === null || at <= until,
  );
  if (responses.length === 0) return nothing;
  const ids = JSON.stringify(responses.map(({ response }) => response.messageId));
  return {
    responses,
    calls: db.rows(
      "SELECT id, tool FROM tool_calls WHERE session_id = ?1 AND message_id IN (SELECT value FROM json_each(?2))",
      [sessionId, ids],
      (cells): [string, string] => [textIn(cells[0]), maybeTextIn(cells[1]) ?? "unknown"],
    ),
    prompts: db.rows(
      `SELECT started_at FROM runs WHERE session_id = ?1 AND ${isMainRun("runs")} AND task_hash IS NULL
         AND started_at IS NOT NULL AND id IN (SELECT ?1 || ':' || value FROM json_each(?2))`,
      [sessionId, ids],
      ([at]) => numberIn(at),
    ),
    compactions: db.rows(
      `SELECT at, "trigger", pre_tokens, post_tokens FROM compactions
       WHERE session_id = ? AND agent_id IS NULL AND is_sidechain = 0 AND (at IS NULL OR at <= ?) ORDER BY at, rowid`,
      [sessionId, until],
      (cells) => ({
        at: maybeNumberIn(cells[0]),
        trigger: trigger.parse(cells[1]),
        preTokens: maybeNumberIn(cells[2]),
        postTokens: maybeNumberIn(cells[3]),
      }),
    ),
    cwd: facts.cwd,
  };
}

/** Reads all ids first: for nearly all sessions nothing else is needed. */
function responsesBut(known: ReadonlySet<string>, db: Database, sessionId: string): StoredResponse[] {
  const missing = db.rows(
    "SELECT rowid, message_id FROM responses WHERE session_id = ? AND is_counted = 1",
    [sessionId],
    ([row, message]) => (known.has(textIn(message)) ? [] : [numberIn(row)]),
  );
  return db.rows(
    `SELECT message_id, request_id, session_id, agent_id, model, at, cwd, is_sidechain, is_copy,
       ${usageColumns}, ${detailColumns}
     FROM responses WHERE rowid IN (SELECT value FROM json_each(?)) ORDER BY at, rowid`,
    [JSON.stringify(missing.flat())],
    (cells) => ({
      response: {
        messageId: textIn(cells[0]),
        requestId: maybeTextIn(cells[1]),
        sessionId: textIn(cells[2]),
        model: textIn(cells[4]),
        at: maybeNumberIn(cells[5]),
        cwd: maybeTextIn(cells[6]),
        isSidechain: flagIn(cells[7]),
        usage: usageIn(cells, 9),
        ...detailsIn(cells, 14),
      },
      agentId: maybeTextIn(cells[3]),
      isCopy: flagIn(cells[8]),
    }),
  );
}
