import type { HandoverView } from "../answers.ts";
import type { HandoverRow } from "../../ledger/continuity-questions.ts";

/** Returns a document as clients show it. */
export function viewOf(row: HandoverRow): HandoverView {
  const { id, sessionId, program, folder, branch, state, toProgram, toSession, takenAt } = row;
  return {
    id,
    sessionId,
    program,
    madeAt: row.at,
    folder,
    branch,
    state,
    toProgram,
    toSession,
    takenAt,
    carried: row.carriedTokens,
    tokens: row.documentTokens,
  };
}
