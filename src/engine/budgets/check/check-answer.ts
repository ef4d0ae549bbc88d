import type { Projection } from "../projection.ts";
import { type Limit, type LevelName, levelNames } from "../budget.ts";
import { periodStart } from "../period.ts";
import type { Spender } from "../spending/spending.ts";
import { type BudgetReason, reasonOf, verdictOn } from "./stop-reason.ts";
import type { Tally, TallyMoment } from "../spending/tally.ts";

/** Whether a call is allowed. Processing tokens; the call's projected usage is included. */
export interface BudgetAnswer {
  readonly allowed: boolean;
  readonly reason: BudgetReason;
  /** Tokens the deciding level has left after the call; 0 if it does not fit. Null if nothing limits the call. */
  readonly remainingTokens: number | null;
  /** Usage of the deciding level after the call, in percent; above 100 if the call does not fit. */
  readonly usagePercent: number | null;
  /**
   * The deciding level: the one with the fewest tokens left among the exceeded levels, otherwise among those
   * that warn, otherwise among all.
   */
  readonly level: LevelName | null;
  readonly projected: Projection;
  /** Every level that applies to the call, the narrowest first. */
  readonly levels: readonly LevelState[];
}

/** Checks a call against every limit that applies to it. */
export function answerTo(
  limits: readonly Limit[],
  projected: Projection,
  asked: Omit<Weighed, "projected">,
): BudgetAnswer {
  const weighed = limits.map((limit) => weigh(limit, { ...asked, projected: projected.tokens }));
  const levels = projected.basis === "unknown" ? weighed.map(withoutProbe) : weighed;
  const exceeded = tightest(levels.filter((state) => verdictOn(state) === "exceeded"));
  const warning = tightest(levels.filter((state) => verdictOn(state) === "warning"));
  const decided = exceeded ?? warning ?? tightest(levels);
  return {
    allowed: exceeded === undefined,
    reason: reasonOf(exceeded, warning),
    remainingTokens: decided?.remaining ?? null,
    usagePercent: decided?.usagePercent ?? null,
    level: decided?.level ?? null,
    projected,
    levels,
  };
}

/** Undoes the probe: an unknown call is checked with one token, which is not really used. */
function withoutProbe(state: LevelState): LevelState {
  const { used, reserved, limit, remaining, projected, over } = state;
  if (over > 0) return state;
  return {
    ...state,
    projected: 0,
    remaining: remaining + projected,
    usagePercent: ((used + reserved) / limit) * 100,
  };
}

/** State of a limit. Processing tokens. */
export interface LevelState extends Limit {
  /** The limited session's, agent's or convoy's id; null is the project. */
  readonly subject: string | null;
  /** Set for a session's or an agent's limit, and for a limit on a run. */
  readonly sessionId: string | null;
  /** Set for an agent's limit: the subagent's type, if known. */
  readonly agentType: string | null;
  /** Set for a limit on a run. */
  readonly runId: string | null;
  /** First local day that counts; null if all usage, or one run, counts. */
  readonly since: string | null;
  readonly used: number;
  /** Reserved by leases, except the requesting call's own. */
  readonly reserved: number;
  /** The call's projected usage; 0 without a call. */
  readonly projected: number;
  /** Tokens left after used, reserved and projected ones; never negative. */
  readonly remaining: number;
  /** Tokens beyond the limit; 0 if it is not exceeded. */
  readonly over: number;
  /** Used, reserved and projected tokens in percent of the limit; above 100 if they exceed it. */
  readonly usagePercent: number;
}

interface Weighed extends TallyMoment {
  readonly tally: Tally;
  readonly spender: Spender;
  /** Set if the agent is a subagent of a known type. */
  readonly agentType?: string | null;
  readonly projected: number;
}

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

/** Returns the state with the least room; of equal ones the narrowest. Undefined if there is none. */
function tightest(states: readonly LevelState[]): LevelState | undefined {
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
