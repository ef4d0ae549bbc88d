import type { LevelState } from "./check-answer.ts";

/** Why a call passes, passes with a warning, or is stopped. */
export type BudgetReason =
  | "ok"
  | "warning_threshold"
  | "agent_budget_exceeded"
  | "convoy_budget_exceeded"
  | "session_budget_exceeded"
  | "project_budget_exceeded";

/** Returns the reason that the deciding limits give. */
export function reasonOf(exceeded: LevelState | undefined, warning: LevelState | undefined): BudgetReason {
  if (exceeded !== undefined) return `${exceeded.level}_budget_exceeded`;
  return warning === undefined ? "ok" : "warning_threshold";
}

export type LevelVerdict = "ok" | "warning" | "exceeded";

/** Returns the verdict on a limit, which may be used up to its last token, and not one more. */
export function verdictOn({ over, usagePercent, warnPercent }: LevelState): LevelVerdict {
  if (over > 0) return "exceeded";
  return usagePercent >= warnPercent ? "warning" : "ok";
}
