import { sentence } from "../../base/language.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { SpentTokens } from "../../ledger/questions.ts";
import { largestLimit } from "../budget.ts";
import type { AgentDay, SessionTotals } from "./session-totals.ts";

/** Characters; git's own names have at most 250. */
const maxWordLength = 200;

/**
 * Converts a ledger's figures of a session into the totals stored in files. Fails for a session that no file can hold: without a
 * fitting id, its tokens could not be told apart from others'.
 *
 * @param branch the checked-out branch, for rows without one
 */
export function totalsOf(spent: SpentTokens, branch: string | null): Result<SessionTotals, "invalid"> {
  const { sessionId, program, cwd, runSince, mainAt } = spent;
  if (!isWord(sessionId)) return fail("invalid", sentence("a session's id has 1 to 200 characters"));
  const agents: AgentDay[] = [];
  for (const row of spent.spent) {
    if (!isWord(row.agentId))
      return fail("invalid", sentence("an agent of session {0} has an id that is too long", sessionId));
    if (!(row.tokens >= 0 && row.tokens <= largestLimit)) {
      return fail(
        "invalid",
        sentence("an agent of session {0} used {1} tokens, which nobody can", sessionId, row.tokens),
      );
    }
    agents.push({ ...row, type: fitting(row.type), branch: fitting(row.branch), at: wholeTime(row.at) });
  }
  return succeed({
    sessionId,
    program: fitting(program),
    branch: fitting(spent.branch ?? branch),
    agents,
    cwd: cwd !== null && cwd.length <= 4096 ? cwd : null,
    runSince: wholeTime(runSince),
    mainAt: wholeTime(mainAt),
  });
}

function isWord(text: string): boolean {
  return text.length >= 1 && text.length <= maxWordLength;
}

function fitting(text: string | null): string | null {
  return text === null || text === "" ? null : text.slice(0, maxWordLength);
}

function wholeTime(at: number | null): number | null {
  return at === null ? null : Math.round(at);
}
