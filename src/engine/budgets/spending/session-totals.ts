import * as z from "zod";
import { isDay } from "../period.ts";

const word = z.string().min(1).max(200);
const maybeWord = word.nullable();
const tokens = z.int().min(0);
const time = z.int();

const agentDaySchema = z.strictObject({
  /** `main`, or the subagent's id. */
  agentId: word,
  /** The subagent's type; null of the main agent, and where nobody tells it. */
  type: maybeWord,
  /** What was checked out there at the time; null where no row tells. */
  branch: maybeWord,
  /** Local calendar day; null for all days before those that are told one by one. */
  day: z.string().refine(isDay).nullable(),
  tokens,
  /** Of these, what belongs to the session's last run. */
  ofRun: tokens,
  /** Of the last response. Milliseconds since the epoch; null where none tells. */
  at: time.nullable(),
});

const sessionTotalsSchema = z.strictObject({
  sessionId: word,
  /** The coding agent: `claude-code`, `codex`, … */
  program: maybeWord,
  /** Where it began. */
  cwd: z.string().max(4096).nullable(),
  /** What was checked out where it worked last, or when it was first seen; for rows that tell no branch. */
  branch: maybeWord,
  /** When its last run began, and when its main agent last answered. Milliseconds since the epoch. */
  runSince: time.nullable(),
  mainAt: time.nullable(),
  agents: z.array(agentDaySchema),
});

/** The content of the file in which one ledger tells what it has of a project. */
export const ledgerTotalsSchema = z.strictObject({
  schema: z.literal(1),
  sessions: z.array(sessionTotalsSchema),
});

/** What one agent of a session used on one day, on one branch. Processing tokens. */
export type AgentDay = Readonly<z.infer<typeof agentDaySchema>>;

/** All that a session used, as a ledger adds it up: told anew as a whole whenever it changed. */
export type SessionTotals = Readonly<z.infer<typeof sessionTotalsSchema>>;

/**
 * What several ledgers tell, each session once. Two may have the same session where somebody's transcripts are copied to another
 * machine: of what both tell, the larger counts.
 */
export function mergedTotals(told: readonly (readonly SessionTotals[])[]): readonly SessionTotals[] {
  const [only, ...others] = told;
  if (others.length === 0) return only ?? [];
  const merged = new Map<string, SessionTotals>();
  for (const session of told.flat()) {
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
