import * as z from "zod/mini";
import { isDay } from "../period.ts";
import { sentence } from "../../base/language.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { SpentTokens } from "../../ledger/questions.ts";
import { exact } from "../amounts.ts";
import { maxLimit, word } from "../budget.ts";

const maybeWord = z.nullable(word);
const tokens = z.int().check(z.minimum(0));
const time = z.int();
const usd = z.number().check(z.nonnegative());

const agentDaySchema = z.strictObject({
  /** `main`, or the subagent's id. */
  agentId: word,
  /** The subagent's type; null for the main agent, and if unknown. */
  type: maybeWord,
  /** The branch checked out at the time; null if no row has one. */
  branch: maybeWord,
  /** Local calendar day; null for the sum of all days before those listed individually. */
  day: z.nullable(z.string().check(z.refine(isDay))),
  tokens,
  /** The part that belongs to the session's last run. */
  ofRun: tokens,
  /** Price of the tokens and of cache reads. Files of earlier versions lack it. */
  usd: z.exactOptional(usd),
  usdOfRun: z.exactOptional(usd),
  /** Tokens without a known price, which `usd` lacks. */
  unpriced: z.exactOptional(tokens),
  unpricedOfRun: z.exactOptional(tokens),
  /** Time of the last response. Milliseconds since the epoch; null if unknown. */
  at: z.nullable(time),
});

const sessionTotalsSchema = z.strictObject({
  sessionId: word,
  /** The coding agent: `claude-code`, `codex`, … */
  program: maybeWord,
  /** The folder it started in. */
  cwd: z.nullable(z.string().check(z.maxLength(4096))),
  /** The branch checked out where it worked last, or when it was first seen; applies to rows without a branch. */
  branch: maybeWord,
  /** Start of its last run, and time of the main agent's last response. Milliseconds since the epoch. */
  runSince: z.nullable(time),
  mainAt: z.nullable(time),
  agents: z.array(agentDaySchema),
});

export const ledgerTotalsSchema = z.strictObject({
  schema: z.literal(1),
  sessions: z.array(sessionTotalsSchema),
});

/** Usage of one agent of a session on one day and one branch. Processing tokens. */
export type AgentDay = Readonly<z.infer<typeof agentDaySchema>>;

/** All usage of a session, as added up by a ledger: rewritten as a whole whenever it changes. */
export type SessionTotals = Readonly<z.infer<typeof sessionTotalsSchema>>;

/**
 * Merges the totals of several ledgers, each session once. Two may have the same session if transcripts were copied to another
 * machine: of duplicate rows the larger counts.
 */
export function mergedTotals(lists: readonly (readonly SessionTotals[])[]): readonly SessionTotals[] {
  const [only, ...others] = lists;
  if (others.length === 0) return only ?? [];
  const merged = new Map<string, SessionTotals>();
  for (const session of lists.flat()) {
    const known = merged.get(session.sessionId);
    merged.set(session.sessionId, known === undefined ? session : mergedSession(known, session));
  }
  return [...merged.values()];
}

function mergedSession(one: SessionTotals, other: SessionTotals): SessionTotals {
  const agents = new Map<string, AgentDay>();
  for (const row of [...one.agents, ...other.agents]) {
    const key = JSON.stringify([row.agentId, row.branch, row.day]);
    const known = agents.get(key);
    if (known === undefined || row.tokens > known.tokens) agents.set(key, row);
  }
  const newer = (other.mainAt ?? -Infinity) > (one.mainAt ?? -Infinity) ? other : one;
  return { ...newer, agents: [...agents.values()] };
}

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
    if (!(row.tokens >= 0 && row.tokens <= maxLimit)) {
      return fail(
        "invalid",
        sentence("an agent of session {0} used {1} tokens, which nobody can", sessionId, row.tokens),
      );
    }
    const prices = { usd: exact(row.usd), usdOfRun: exact(row.usdOfRun) };
    agents.push({
      ...row,
      ...prices,
      type: fitting(row.type),
      branch: fitting(row.branch),
      at: wholeTime(row.at),
    });
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
