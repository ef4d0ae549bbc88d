import { succeed } from "../base/result.ts";
import { noAmounts } from "./amounts.ts";
import type { Budget, Limit } from "./budget.ts";
import type { Budgeted } from "./faults.ts";
import { loadBudget } from "./convoys/convoys-store.ts";
import type { BudgetPorts } from "./check/check.ts";
import { limitsFor } from "./convoys/members.ts";
import { isLive, type Lease } from "./spending/spending.ts";
import { Tally } from "./spending/tally.ts";
import { weigh } from "./check/check-answer.ts";
import { type LevelState, type LevelVerdict, verdictOn } from "./check/stop-reason.ts";

export interface ReportedLevel extends LevelState {
  readonly verdict: LevelVerdict;
}

export interface BudgetReport {
  readonly budget: Budget;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /**
   * Every limit once for each session, agent or run it applies to that has usage or reservations; once, with nothing used and no
   * subject, if there is none.
   */
  readonly levels: readonly ReportedLevel[];
  readonly leases: readonly Lease[];
}

/** The most recent agents shown: agents do not report when they have ended. */
const newestSubjects = 20;

/** Reports the state of a convoy's budget. Fails as `checkBudget` does. */
export async function getBudgetReport(convoyId: string, ports: BudgetPorts): Promise<Budgeted<BudgetReport>> {
  const stored = await loadBudget(convoyId, ports);
  if (!stored.ok) return stored;
  const limits = await limitsFor(convoyId, ports);
  if (!limits.ok) return limits;
  const spending = await ports.spending.read();
  if (!spending.ok) return spending;
  const now = ports.clock.now();
  const tally = new Tally(spending.value, limits.value.budgets);
  const levels = reportLevels(limits.value.limits, convoyId, { tally, now });
  const leases = spending.value.leases.filter((lease) => lease.convoyId === convoyId && isLive(lease, now));
  return succeed({ budget: stored.value.budget, at: now, levels, leases });
}

/** Returns every limit once for each subject with usage or reservations; see `BudgetReport`. */
export function reportLevels(
  limits: readonly Limit[],
  convoyId: string,
  moment: { readonly tally: Tally; readonly now: number },
): ReportedLevel[] {
  return limits.flatMap((limit) => statesOf(limit, convoyId, moment));
}

function statesOf(
  limit: Limit,
  convoyId: string,
  { tally, now }: { readonly tally: Tally; readonly now: number },
): ReportedLevel[] {
  const states = tally
    .subjects(limit, convoyId, now)
    .map((spender) => weigh(limit, { tally, spender, agentType: spender.type, projected: noAmounts, now }))
    .filter(({ used, reserved, unpriced }) => used + reserved + unpriced > 0)
    .slice(0, newestSubjects);
  const shown = states.length > 0 ? states : [idleState(limit, convoyId, { tally, now })];
  return shown.map((state) => ({ ...state, verdict: verdictOn(state) }));
}

function idleState(
  limit: Limit,
  convoyId: string,
  moment: { readonly tally: Tally; readonly now: number },
): LevelState {
  const nobody = { convoyId, agentId: "", sessionId: "", runId: "" };
  const state = weigh(limit, { ...moment, spender: nobody, projected: noAmounts });
  return {
    ...state,
    subject: limit.level === "convoy" ? convoyId : null,
    sessionId: null,
    runId: null,
  };
}
