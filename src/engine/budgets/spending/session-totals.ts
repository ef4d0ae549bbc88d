import * as z from "zod/mini";
import { isDay } from "../period.ts";

const word = z.string().check(z.minLength(1), z.maxLength(200));
const maybeWord = z.nullable(word);
const tokens = z.int().check(z.minimum(0));
const time = z.int();

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

/** The content of the file of one ledger's totals of a project. */
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
