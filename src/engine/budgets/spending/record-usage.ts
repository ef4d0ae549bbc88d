import { sentence } from "../../base/language.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { formatDay } from "../../usage/local-day.ts";
import { cacheCreation, type TokenUsage } from "../../usage/token-counts.ts";
import { exact, type Amounts } from "../amounts.ts";
import type { Budgeted } from "../faults.ts";
import {
  checkedLeaseId,
  checkedPrice,
  checkedTokens,
  spenderOf,
  type Call,
} from "../check/describe-answer.ts";
import type { BudgetPorts } from "../check/check.ts";
import { firstDayKept, isDay } from "../period.ts";
import { isRecorded, observe, settle, withoutOld, type UsageReport } from "./recorded-ids.ts";
import type { Changed } from "./spending-store.ts";
import type { Spending } from "./spending.ts";

/** Actual usage: processing tokens, or the usage reported by the API. */
export interface Recording {
  readonly call: Call;
  readonly usage: number | TokenUsage;
  /** What they cost, if the caller knows. Without it, limits in dollars and credits lack these tokens, and say so. */
  readonly usd?: number | null;
  readonly credits?: number | null;
  /**
   * Meaning of the figure:
   * - `call`: usage of one call, added to the sum. With the id of its lease it settles that; recorded twice under one id, it counts
   * once.
   * - `total`: everything of this agent, session, run and day so far, as the caller adds it up. It replaces a smaller total, so it
   * may be recorded repeatedly.
   *
   * For the same agent, session, run and day the larger of the calls' sum and the total counts; they are never added up. The ledger's
   * totals of the session, from transcripts, are not added to it either.
   */
  readonly as:
    | { readonly kind: "call"; readonly leaseId: string | null }
    | { readonly kind: "total"; readonly day?: string };
}

export interface Recorded {
  readonly tokens: number;
  /** False if it was recorded before. */
  readonly isNew: boolean;
  /** Usage of the call beyond its lease; 0 without a lease, null if the lease was already over. */
  readonly beyondLease: number | null;
}

/**
 * Records actual usage, whether or not it was allowed or there is a budget: a fact is never refused. Settling a lease releases its
 * unused tokens.
 */
export async function recordUsage(
  { call, usage, usd = null, credits = null, as }: Recording,
  ports: Pick<BudgetPorts, "spending" | "clock" | "unique">,
): Promise<Budgeted<Recorded>> {
  const spender = spenderOf(call);
  if (!spender.ok) return spender;
  const tokens = checkedTokens(typeof usage === "number" ? usage : processingTokens(usage));
  if (!tokens.ok) return tokens;
  const used = usedBy(tokens.value, { usd, credits });
  if (!used.ok) return used;
  const at = Math.round(ports.clock.now());
  const today = formatDay(new Date(at));
  const day = as.kind === "total" ? (as.day ?? today) : today;
  if (!isDay(day)) return fail("invalid", sentence("a day is written as 2026-11-21"));
  // Earlier days are already folded into one sum.
  if (day < firstDayKept(at))
    return fail(
      "invalid",
      sentence("what was used on {0} cannot be told any more; {1} is the first day", day, firstDayKept(at)),
    );
  const report = { spender: spender.value, day, used: used.value, at };
  if (as.kind === "total") return await ports.spending.update((spending) => takeTotal(spending, report));
  const { leaseId } = as;
  // A call without a lease gets an id of its own, so that a retry after a failed write does not count it twice.
  const id = checkedLeaseId(leaseId ?? ports.unique());
  if (!id.ok) return id;
  return await ports.spending.update((spending) =>
    takeCall(spending, { id: id.value, isLeased: leaseId !== null }, report),
  );
}

/** Validates a price, and counts the tokens without one. */
function usedBy(
  tokens: number,
  prices: Readonly<Record<"usd" | "credits", number | null>>,
): Result<Amounts, "invalid"> {
  for (const unit of ["usd", "credits"] as const) {
    const price = checkedPrice(unit, prices[unit]);
    if (!price.ok) return price;
  }
  const { usd, credits } = prices;
  const unpriced = usd === null && credits === null ? tokens : 0;
  return succeed({ tokens, usd: exact(usd ?? 0), credits: exact(credits ?? 0), unpriced });
}

function processingTokens(usage: TokenUsage): number {
  return usage.input + usage.output + cacheCreation(usage);
}

function takeTotal(spending: Spending, report: UsageReport): Changed<Recorded> {
  const current = withoutOld(spending, report.at);
  const observed = observe(current, report);
  const isNew = observed !== current;
  return {
    spending: isNew ? observed : spending,
    value: { tokens: report.used.tokens, isNew, beyondLease: 0 },
  };
}

function takeCall(
  spending: Spending,
  { id, isLeased }: { id: string; isLeased: boolean },
  report: UsageReport,
): Changed<Recorded> {
  const lease = spending.leases.find((each) => each.id === id);
  const isNew = !isRecorded(spending, id);
  const beyond = lease === undefined ? null : Math.max(0, report.used.tokens - lease.tokens);
  const value = { tokens: report.used.tokens, isNew, beyondLease: isLeased ? beyond : 0 };
  if (!isNew && lease === undefined) return { spending, value };
  return { spending: settle(withoutOld(spending, report.at), id, report), value };
}
