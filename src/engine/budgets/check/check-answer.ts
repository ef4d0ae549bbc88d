import { projectedAmounts, type Projection } from "../projection.ts";
import { exact, isBilledInCredits, unitNames, type Amounts, type UnitName } from "../amounts.ts";
import { type Limit, type LevelName, levelNames } from "../budget.ts";
import { periodStart } from "../period.ts";
import type { Spender } from "../spending/spending.ts";
import { type BudgetReason, type LevelState, reasonOf, verdictOn } from "./stop-reason.ts";
import type { Tally, TallyMoment } from "../spending/tally.ts";

/** Whether a call is allowed; the call's projected usage is included. */
export interface BudgetAnswer {
  readonly allowed: boolean;
  readonly reason: BudgetReason;
  /** Amount left in the deciding level after the call; 0 if the call does not fit. Null if nothing limits the call. */
  readonly remaining: { readonly amount: number; readonly unit: UnitName } | null;
  /** Usage of the deciding level after the call, in percent; above 100 if the call does not fit. */
  readonly usagePercent: number | null;
  /**
   * The deciding level: the one with the least left among the exceeded levels, otherwise among those that warn,
   * otherwise among all. Of limits in different units, the one with the largest share used.
   */
  readonly level: LevelName | null;
  readonly projected: Projection;
  /** What the call is counted with, in each unit. */
  readonly amounts: Amounts;
  /** Every level that applies to the call, the narrowest first. */
  readonly levels: readonly LevelState[];
}

/** Checks a call against every limit that applies to it. */
export function answerTo(
  limits: readonly Limit[],
  projected: Projection,
  asked: Omit<Weighed, "projected">,
): BudgetAnswer {
  const { tally, spender, now } = asked;
  const amounts = projectedAmounts(projected, {
    usdPerToken: tally.usdPerToken(now),
    isInCredits: isBilledInCredits(tally.session(spender.sessionId)?.program),
  });
  const weighed = limits.map((limit) => weigh(limit, { ...asked, projected: amounts }));
  const levels = projected.basis === "unknown" ? weighed.map(withoutProbe) : weighed;
  const exceeded = tightest(levels.filter((state) => verdictOn(state) === "exceeded"));
  const warning = tightest(levels.filter((state) => verdictOn(state) === "warning"));
  const decided = exceeded ?? warning ?? tightest(levels);
  return {
    allowed: exceeded === undefined,
    reason: reasonOf(exceeded, warning),
    remaining: decided === undefined ? null : { amount: decided.remaining, unit: decided.unit },
    usagePercent: decided?.usagePercent ?? null,
    level: decided?.level ?? null,
    projected,
    amounts,
    levels,
  };
}

/** Undoes the probe: an unknown call is checked with the least amount, which is not really used. */
function withoutProbe(state: LevelState): LevelState {
  const { used, reserved, amount, remaining, projected, over } = state;
  if (over > 0) return state;
  return {
    ...state,
    projected: 0,
    remaining: exact(remaining + projected),
    usagePercent: ((used + reserved) / amount) * 100,
  };
}

interface Weighed extends TallyMoment {
  readonly tally: Tally;
  readonly spender: Spender;
  /** Set if the agent is a subagent of a known type. */
  readonly agentType?: string | null;
  readonly projected: Amounts;
}

export function weigh(limit: Limit, weighed: Weighed): LevelState {
  const { tally, spender, agentType = null, now } = weighed;
  const { amount, unit } = limit;
  const all = tally.used(limit, spender, weighed);
  const used = all[unit];
  const reserved = tally.reserved(limit, spender, now)[unit];
  const projected = weighed.projected[unit];
  const total = exact(used + reserved + projected);
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
    unpriced: unit === "tokens" ? 0 : all.unpriced,
    remaining: Math.max(0, exact(amount - total)),
    over: Math.max(0, exact(total - amount)),
    usagePercent: (total / amount) * 100,
  };
}

/**
 * Returns the state with the least room, of equal ones the narrowest. Rooms in different units do not compare: of the tightest in each,
 * the fullest. Undefined if there is none.
 */
function tightest(states: readonly LevelState[]): LevelState | undefined {
  const room = ({ remaining, over }: LevelState) => remaining - over;
  const width = ({ level }: LevelState) => levelNames.indexOf(level);
  const inUnit = unitNames.flatMap((unit) => {
    const [first] = states
      .filter((state) => state.unit === unit)
      .toSorted((one, other) => room(one) - room(other) || width(one) - width(other));
    return first ?? [];
  });
  return inUnit.toSorted(
    (one, other) => other.usagePercent - one.usagePercent || width(one) - width(other),
  )[0];
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
