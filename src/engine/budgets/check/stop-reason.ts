import type { Limit } from "../budget.ts";

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

/** Returns the verdict on a limit, which may be used up to its last token or cent, and not more. */
export function verdictOn({ over, usagePercent, warnPercent }: LevelState): LevelVerdict {
  if (over > 0) return "exceeded";
  return usagePercent >= warnPercent ? "warning" : "ok";
}

/** State of a limit, in its unit. */
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
  /** Tokens without a known price, which a limit in dollars or credits lacks; 0 for one in tokens. */
  readonly unpriced: number;
  /** What is left after used, reserved and projected amounts; never negative. */
  readonly remaining: number;
  /** What is beyond the limit; 0 if it is not exceeded. */
  readonly over: number;
  /** Used, reserved and projected amounts in percent of the limit; above 100 if they exceed it. */
  readonly usagePercent: number;
}
