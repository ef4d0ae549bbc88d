import { succeed } from "../base/result.ts";
import type { Budget } from "./budget.ts";
import type { Budgeted } from "./budget-faults.ts";
import { loadBudget } from "./budget-store.ts";
import type { BudgetPorts } from "./check-budget.ts";
import { limitsFor } from "./limits.ts";
import { isLive, type Lease, type Spender, type Spending } from "./spending.ts";
import { subjectOf, verdictOn, weigh, type LevelState, type LevelVerdict, type Limit } from "./weigh.ts";

/** How a limit stands, and what to make of it. */
export interface ReportedLevel extends LevelState {
  readonly verdict: LevelVerdict;
}

/** How a convoy's budget stands. */
export interface BudgetReport {
  readonly budget: Budget;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Every limit once for each session, agent or run that it holds for and that used something or set something aside. */
  readonly levels: readonly ReportedLevel[];
  readonly leases: readonly Lease[];
}

/** Of runs, the last ones only: no run says when it has ended. */
const newestSubjects = 20;

/** Tells how a convoy stands. Fails as `checkBudget` does. */
export async function getBudgetReport(convoyId: string, ports: BudgetPorts): Promise<Budgeted<BudgetReport>> {
  const stored = await loadBudget(convoyId, ports);
  if (!stored.ok) return stored;
  const limits = await limitsFor(convoyId, ports);
  if (!limits.ok) return limits;
  const spending = await ports.spending.read();
  if (!spending.ok) return spending;
  const now = ports.clock.now();
  const levels = standingsOf(limits.value, convoyId, { spending: spending.value, now });
  const leases = spending.value.leases.filter((lease) => lease.convoyId === convoyId && isLive(lease, now));
  return succeed({ budget: stored.value.budget, at: now, levels, leases });
}

/** Every limit once for each that it holds for and that used something or set something aside. */
export function standingsOf(
  limits: readonly Limit[],
  convoyId: string,
  at: { readonly spending: Spending; readonly now: number },
): ReportedLevel[] {
  return limits.flatMap((limit) => statesOf(limit, convoyId, at));
}

function statesOf(
  limit: Limit,
  convoyId: string,
  { spending, now }: { spending: Spending; now: number },
): ReportedLevel[] {
  const touched = [
    ...spending.leases
      .filter((lease) => isLive(lease, now))
      .map((lease) => ({ by: lease, at: lease.grantedAt })),
    ...spending.usage.map((row) => ({ by: row, at: row.at })),
  ].toSorted((one, other) => other.at - one.at);
  const spenders = new Map<string, Spender>();
  for (const { by } of touched) {
    if (limit.level !== "project" && by.convoyId !== convoyId) continue;
    const key = JSON.stringify([subjectOf(limit.level, by), limit.period === "run" ? by.runId : null]);
    if (!spenders.has(key)) spenders.set(key, by);
  }
  // What holds for all is told also while nobody has spent anything.
  if (spenders.size === 0 && limit.period !== "run" && ["convoy", "project"].includes(limit.level))
    spenders.set("", { convoyId, agentId: "-", sessionId: "-", runId: "-" });
  return [...spenders.values()].slice(0, newestSubjects).flatMap((spender): ReportedLevel[] => {
    const state = weigh(limit, { spending, spender, projected: 0, now });
    const isIdle = state.used + state.reserved === 0 && !["convoy", "project"].includes(limit.level);
    return isIdle ? [] : [{ ...state, verdict: verdictOn(state) }];
  });
}
