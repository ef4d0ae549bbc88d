import type { Projection } from "../projection.ts";
import type { Limit } from "../limit.ts";
import { tightest, verdictOn, weigh, type LevelState, type Weighed } from "./weigh.ts";
import type { LevelName } from "../budget.ts";

export type BudgetReason =
  | "ok"
  | "warning_threshold"
  | "agent_budget_exceeded"
  | "convoy_budget_exceeded"
  | "session_budget_exceeded"
  | "project_budget_exceeded";

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

function reasonOf(exceeded: LevelState | undefined, warning: LevelState | undefined): BudgetReason {
  if (exceeded !== undefined) return `${exceeded.level}_budget_exceeded`;
  return warning === undefined ? "ok" : "warning_threshold";
}
