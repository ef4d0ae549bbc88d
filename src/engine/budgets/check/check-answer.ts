import type { Projection } from "../projection.ts";
import { type Limit, type LevelName, levelNames } from "../budget.ts";
import { periodStart } from "../period.ts";
import type { Spender } from "../spending/spending.ts";
import { type BudgetReason, type LevelState, reasonOf, verdictOn } from "./stop-reason.ts";
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
