import { isServerCall } from "../../usage/api-response.ts";
import { flagIn, maybeNumberIn, maybeTextIn, textIn } from "../store/cell.ts";
import type { Database } from "../store/database.ts";
import { selectResponses, type LedgerResponse } from "../questions/queries.ts";

/** One call of a tool, with the file that it read. */
export interface TracedCall {
  readonly id: string;
  readonly messageId: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number | null;
  readonly tool: string | null;
  readonly inputChars: number | null;
  readonly resultChars: number | null;
  readonly isError: boolean;
  readonly path: string | null;
}

/** One conversation of a session: the main one, or a subagent's. */
export interface TracedChain {
  /** Null for the main conversation. */
  readonly agentId: string | null;
  /** A subagent's type; null if unknown, or for the main conversation. */
  readonly type: string | null;
  /** Ordered by time. */
  readonly responses: readonly LedgerResponse[];
  readonly calls: readonly TracedCall[];
  /** Times of compactions, ascending. Milliseconds since the epoch. */
  readonly compactions: readonly number[];
}

/** The ledger's entries of a session, from which causes of its cost are found. */
export interface SessionTrace {
  readonly chains: readonly TracedChain[];
  /** Responses outside of a conversation: asides, and the API's own calls. */
  readonly others: readonly LedgerResponse[];
  /** Places of the main conversation's responses as the session's page numbers them, from 1, by message id. */
  readonly numbers: ReadonlyMap<string, number>;
  /** Golden tasks that ran in it; 0 for real work. */
  readonly tasks: number;
}

export function readSessionTrace(db: Database, id: string): SessionTrace {
  const responses = selectResponses(db, id);
  const isInChain = ({ agentId, isSidechain, messageId }: LedgerResponse) =>
    !isServerCall(messageId) && !(isOwn(agentId, id) && isSidechain);
  const compactions = readCompactions(db, id);
  const types = readTypes(db, id);
  const calls = readCalls(db, id);
  const agents = new Set(responses.map(({ agentId }) => chainId(agentId, id)));
  return {
    chains: Array.from(agents, (agentId) => ({
      agentId,
      type: agentId === null ? null : (types.get(agentId) ?? null),
      responses: responses.filter((each) => chainId(each.agentId, id) === agentId && isInChain(each)),
      calls: calls.filter((each) => chainId(each.agentId, id) === agentId),
      compactions: compactions.flatMap((each) => (chainId(each.agentId, id) === agentId ? each.at : [])),
    })),
    others: responses.filter((each) => !isInChain(each)),
    numbers: new Map(
      responses
        .filter(({ agentId }) => isOwn(agentId, id))
        .map(({ messageId }, index) => [messageId, index + 1]),
    ),
    tasks:
      db.first(
        "SELECT count(*) FROM runs WHERE session_id = ? AND task_hash IS NOT NULL",
        [id],
        ([count]) => maybeNumberIn(count) ?? 0,
      ) ?? 0,
  };
}

/** Some agents' subagents are sessions of their own, with their own main conversation. */
function isOwn(agentId: string | null, session: string): boolean {
  return agentId === null || agentId === session;
}

/** A conversation's id; null for the main one. */
export function chainId(agentId: string | null, session: string): string | null {
  return isOwn(agentId, session) ? null : agentId;
}

function readCalls(db: Database, id: string): (TracedCall & { readonly agentId: string | null })[] {
  return db.rows(
    `SELECT c.agent_id, c.message_id, c.at, c.tool, c.input_chars, c.result_chars, c.is_error, f.path, f.chars, c.id
     FROM tool_calls AS c LEFT JOIN file_reads AS f ON f.id = c.id WHERE c.session_id = ? ORDER BY c.at, c.rowid`,
    [id],
    (cells) => ({
      id: textIn(cells[9]),
      agentId: maybeTextIn(cells[0]),
      messageId: maybeTextIn(cells[1]),
      at: maybeNumberIn(cells[2]),
      tool: maybeTextIn(cells[3]),
      inputChars: maybeNumberIn(cells[4]),
      resultChars: maybeNumberIn(cells[5]) ?? maybeNumberIn(cells[8]),
      isError: cells[6] !== null && flagIn(cells[6]),
      path: maybeTextIn(cells[7]),
    }),
  );
}

function readCompactions(db: Database, id: string): { agentId: string | null; at: number }[] {
  return db.rows(
    "SELECT agent_id, at FROM compactions WHERE session_id = ? AND at IS NOT NULL ORDER BY at",
    [id],
    (cells) => ({ agentId: maybeTextIn(cells[0]), at: maybeNumberIn(cells[1]) ?? 0 }),
  );
}

function readTypes(db: Database, id: string): ReadonlyMap<string, string | null> {
  return new Map(
    db.rows("SELECT agent_id, type FROM subagents WHERE session_id = ?", [id], (cells) => [
      textIn(cells[0]),
      maybeTextIn(cells[1]),
    ]),
  );
}
