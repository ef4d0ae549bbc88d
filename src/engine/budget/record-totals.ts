import type { Budgeted } from "./budget-faults.ts";
import { checkedTokens, spenderOf } from "./call.ts";
import type { BudgetPorts } from "./check-budget.ts";
import { firstDayKept, isDay } from "./period.ts";
import { observe, withoutOld } from "./record.ts";
import type { Changed } from "./spending-store.ts";
import { isSameSpender, tokensOf, type Spender, type Spending } from "./spending.ts";

/** All that one agent of a session used on one local day so far, as the ledger adds it up. Processing tokens. */
export interface DayTotal {
  readonly sessionId: string;
  readonly agentId: string;
  readonly day: string;
  readonly tokens: number;
  /** Of where the session works; null where that says nothing. See `convoyOf`. */
  readonly convoyId?: string | null;
}

export interface TotalsRecorded {
  /** False when all of it was known. */
  readonly isNew: boolean;
  /** Why some were not recorded: names that no file of ours can hold. */
  readonly refused: readonly string[];
}

/**
 * `recordUsage` of many totals as one change, so that the disk is asked once. All totals of a session's day must be told together.
 *
 * What no convoy is told for is of the convoy that a call was set aside or recorded for under the session's id; of none where nobody
 * told one. What a session used is counted once, whoever told it and under whatever agent's, convoy's or run's name: its rows of a day add up to no more than
 * the ledger's total, except for what they were before.
 */
export async function recordTotals(
  totals: readonly DayTotal[],
  { spending, clock }: Pick<BudgetPorts, "spending" | "clock">,
): Promise<Budgeted<TotalsRecorded>> {
  const refused: string[] = [];
  const fitting = totals.filter((total) => {
    const why = faultOf(total);
    if (why !== null) refused.push(why);
    return why === null;
  });
  const at = Math.round(clock.now());
  return await spending.update((current): Changed<TotalsRecorded> => {
    const kept = withoutOld(current, at);
    const taken = takeTotals(kept, fitting, at);
    const isNew = taken !== kept;
    return { spending: isNew ? taken : current, value: { isNew, refused } };
  });
}

function faultOf({ agentId, sessionId, day, tokens }: DayTotal): string | null {
  if (!isDay(day)) return "a day is written as 2026-11-21";
  const spender = spenderOf({ convoyId: null, agentId, sessionId });
  if (!spender.ok) return spender.detail;
  const checked = checkedTokens(tokens);
  return checked.ok ? null : checked.detail;
}

function takeTotals(spending: Spending, totals: readonly DayTotal[], at: number): Spending {
  const first = firstDayKept(at);
  const dayOf = ({ sessionId, day }: { sessionId: string; day: string }) => `${day} ${sessionId}`;
  const ofDays = new Map<string, number>();
  for (const total of totals) ofDays.set(dayOf(total), (ofDays.get(dayOf(total)) ?? 0) + total.tokens);
  let taken = spending;
  for (const total of totals) {
    const { sessionId, agentId, day } = total;
    if (day < first) continue;
    const convoyId = total.convoyId ?? calledFor(sessionId, taken);
    const spender = { convoyId, agentId, sessionId, runId: sessionId };
    const room = (ofDays.get(dayOf(total)) ?? 0) - countedElsewhere(spender, day, taken);
    const tokens = Math.min(total.tokens, room);
    if (tokens > 0) taken = observe(taken, { spender, day, tokens, at });
  }
  return taken;
}

/** What rows of the same session and day hold already under other names. */
function countedElsewhere(spender: Spender, day: string, { usage }: Spending): number {
  return usage.reduce((sum, row) => {
    const isOther = row.day === day && row.sessionId === spender.sessionId && !isSameSpender(row, spender);
    return isOther ? sum + tokensOf(row) : sum;
  }, 0);
}

/** The convoy that a call of the session was told for last; null of none. What the ledger told says where a session was, not is. */
function calledFor(sessionId: string, { usage, leases }: Spending): string | null {
  const called = usage.filter(({ settled }) => settled > 0);
  const told = [...called, ...leases.map((lease) => ({ ...lease, at: lease.grantedAt }))];
  const last = told
    .filter((each) => each.sessionId === sessionId && each.convoyId !== null)
    .reduce<(typeof told)[number] | null>((newest, each) => {
      return newest === null || each.at > newest.at ? each : newest;
    }, null);
  return last?.convoyId ?? null;
}
