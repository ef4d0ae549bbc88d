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

/** Whether a call may be made. Processing tokens; what the call is projected to use is counted in. */
export interface BudgetAnswer {
  readonly allowed: boolean;
  readonly reason: BudgetReason;
  /** What the deciding level has left when the call has been made; 0 when it does not fit. Null when nothing limits the call. */
  readonly remainingTokens: number | null;
  /** What the deciding level has used then, in percent of it; above 100 when the call does not fit. */
  readonly usagePercent: number | null;
  /** The level that decided: of those that are exceeded, else of those that warn, else of all, the one with the fewest tokens left. */
  readonly level: LevelName | null;
  readonly projected: Projection;
  /** Every level that holds for the call, the narrowest first. */
  readonly levels: readonly LevelState[];
}

/** Weighs a call against every limit that holds for it. */
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

/** Whether a token is left is asked with one; where it is, nobody has used it, and it is left. */
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
