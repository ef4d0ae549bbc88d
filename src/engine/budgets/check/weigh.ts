import type { Limit } from "../limit.ts";
import { levelNames, type LevelName } from "../budget.ts";
import { periodStart } from "../period.ts";
import type { Spender } from "../spending/spending.ts";
import type { Tally, TallyMoment } from "../spending/tally.ts";

/** How a limit stands. Processing tokens. */
export interface LevelState extends Limit {
  /** Who is limited: a session's, agent's or convoy's id; null is the project. */
  readonly subject: string | null;
  /** Of a session's or an agent's limit, and of a limit for a run. */
  readonly sessionId: string | null;
  /** Of an agent's limit: the subagent's type, where it is known. */
  readonly agentType: string | null;
  /** Of a limit for a run. */
  readonly runId: string | null;
  /** First local day that counts; null where all of it, or one run, counts. */
  readonly since: string | null;
  readonly used: number;
  /** Set aside by leases, the asking call's own not counted. */
  readonly reserved: number;
  /** What the call is expected to use; 0 where no call is asked about. */
  readonly projected: number;
  /** What remains after all three; never negative. */
  readonly remaining: number;
  /** What they exceed the limit by; 0 while they do not. */
  readonly over: number;
  /** All three in percent of the limit; above 100 when they exceed it. */
  readonly usagePercent: number;
}

export interface Weighed extends TallyMoment {
  readonly tally: Tally;
  readonly spender: Spender;
  /** Where the agent is a subagent of a known type. */
  readonly agentType?: string | null;
  readonly projected: number;
}

/** How one limit stands for who would spend. */
export function weigh(limit: Limit, weighed: Weighed): LevelState {
  const { tally, spender, agentType = null, projected, now } = weighed;
  const used = tally.used(limit, spender, weighed);
  const reserved = tally.reserved(limit, spender, now);
  const total = used + reserved + projected;
  const isRun = limit.period === "run";
  return {
    ...limit,
    subject: subjectOf(limit.level, spender),
    sessionId: isRun || ["session", "agent"].includes(limit.level) ? spender.sessionId : null,
    agentType: limit.level === "agent" ? agentType : null,
    runId: isRun ? spender.runId : null,
    since: periodStart(limit.period, now),
    used,
    reserved,
    projected,
    remaining: Math.max(0, limit.limit - total),
    over: Math.max(0, total - limit.limit),
    usagePercent: (total / limit.limit) * 100,
  };
}

export type LevelVerdict = "ok" | "warning" | "exceeded";

/** A limit may be used up to its last token, and not one more. */
export function verdictOn({ over, usagePercent, warnPercent }: LevelState): LevelVerdict {
  if (over > 0) return "exceeded";
  return usagePercent >= warnPercent ? "warning" : "ok";
}

/** The one that leaves least room, of several the narrowest; undefined of none. */
export function tightest(states: readonly LevelState[]): LevelState | undefined {
  const room = ({ remaining, over }: LevelState) => remaining - over;
  const width = ({ level }: LevelState) => levelNames.indexOf(level);
  return states.toSorted((one, other) => room(one) - room(other) || width(one) - width(other))[0];
}

function subjectOf(level: LevelName, spender: Spender): string | null {
  switch (level) {
    case "session":
      return spender.sessionId;
    case "agent":
      return spender.agentId;
    case "convoy":
      return spender.convoyId;
    case "project":
      return null;
  }
}
