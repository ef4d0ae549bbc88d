import { isServerCall } from "../../usage/api-response.ts";
import { maybeNumberIn, maybeTextIn, numberIn, textIn } from "../store/cell.ts";
import type { Database } from "../store/database.ts";
import { selectResponses, type LedgerResponse } from "./queries.ts";

/** A response with a known time. */
export type TimedResponse = LedgerResponse & { readonly at: number };

/** One conversation of a session: the main one, or a subagent's. */
export interface Chain {
  readonly sessionId: string;
  /** Null for the main conversation. */
  readonly agentId: string | null;
  /** Ordered by time. */
  readonly responses: readonly TimedResponse[];
  /** Times of its compactions. Milliseconds since the epoch. */
  readonly compactions: readonly number[];
  /** Times of the user's prompts; null if unknown. */
  readonly prompts: readonly number[] | null;
  /** Message ids of responses that called a tool; null if some calls do not name their response. */
  readonly callers: ReadonlySet<string> | null;
}

/** A run with a known end. */
export interface EndedRun {
  readonly id: string;
  readonly sessionId: string;
  /** Null for the main conversation. */
  readonly agentId: string | null;
  /** The subagent's type, or `main`. */
  readonly agent: string;
  readonly startedAt: number | null;
  readonly endedAt: number;
  readonly processingTokens: number;
  /** Whether it is a golden task's run, not real work. */
  readonly isTask: boolean;
}

export interface SessionHistory {
  readonly chains: readonly Chain[];
  readonly runs: readonly EndedRun[];
}

/** The data in which a session's anomalies are searched. */
export function readSessionHistory(db: Database, sessionId: string): SessionHistory {
  const responses = selectResponses(db, sessionId).filter(isTimed);
  const runs = readRuns(db, sessionId);
  const compactions = readCompactions(db, sessionId);
  const calls = db.rows(
    "SELECT agent_id, message_id FROM tool_calls WHERE session_id = ?",
    [sessionId],
    (cells) => ({ agentId: maybeTextIn(cells[0]), messageId: maybeTextIn(cells[1]) }),
  );
  const agents = new Set(responses.map(({ agentId }) => agentId));
  const chains = Array.from(agents, (agentId): Chain => {
    const called = calls.filter((call) => call.agentId === agentId).map(({ messageId }) => messageId);
    const known = called.filter((id) => id !== null);
    return {
      sessionId,
      agentId,
      // A main file may hold asides, which branch off the main conversation without belonging to it.
      responses: responses.filter(
        (each) =>
          each.agentId === agentId &&
          !(agentId === null && each.isSidechain) &&
          !isServerCall(each.messageId),
      ),
      compactions: compactions.flatMap((each) => (each.agentId === agentId ? each.at : [])),
      prompts: agentId === null ? promptsOf(runs) : [],
      callers: known.length === called.length ? new Set(known) : null,
    };
  });
  return { chains, runs };
}

/** Each run of the main conversation begins with the user's prompt. */
function promptsOf(runs: readonly EndedRun[]): number[] | null {
  const main = runs.filter(({ agentId }) => agentId === null);
  const starts = main.flatMap(({ startedAt }) => startedAt ?? []);
  return main.length === 0 || starts.length < main.length ? null : starts;
}

function readRuns(db: Database, sessionId: string): EndedRun[] {
  return db.rows(
    `SELECT id, agent, started_at, ended_at, processing_tokens, task_hash
     FROM runs WHERE session_id = ? AND ended_at IS NOT NULL ORDER BY ended_at, rowid`,
    [sessionId],
    (cells) => ({
      id: textIn(cells[0]),
      sessionId,
      agentId: agentOfRun(textIn(cells[0]), sessionId),
      agent: textIn(cells[1]),
      startedAt: maybeNumberIn(cells[2]),
      endedAt: numberIn(cells[3]),
      processingTokens: numberIn(cells[4]),
      isTask: cells[5] !== null,
    }),
  );
}

/**
 * A run's id is the session's id, for a subagent `#` and its id, then `:` and a part that distinguishes it from other
 * runs.
 */
function agentOfRun(id: string, sessionId: string): string | null {
  if (!id.startsWith(`${sessionId}#`)) return null;
  const rest = id.slice(sessionId.length + 1);
  const end = rest.indexOf(":");
  return end < 0 ? rest : rest.slice(0, end);
}

function readCompactions(db: Database, sessionId: string): { agentId: string | null; at: number }[] {
  return db.rows(
    "SELECT agent_id, at FROM compactions WHERE session_id = ? AND at IS NOT NULL",
    [sessionId],
    (cells) => ({ agentId: maybeTextIn(cells[0]), at: numberIn(cells[1]) }),
  );
}

function isTimed(response: LedgerResponse): response is TimedResponse {
  return response.at !== null;
}
