import { fail } from "../../base/result.ts";
import { formatDay } from "../../usage/local-day.ts";
import { cacheCreation, type TokenUsage } from "../../usage/token-counts.ts";
import type { Budgeted } from "../faults.ts";
import { checkedLeaseId, checkedTokens, spenderOf, type Call } from "../check/call.ts";
import type { BudgetPorts } from "../check/check.ts";
import { firstDayKept, isDay } from "../period.ts";
import { isRecorded, observe, settle, withoutOld, type Told } from "./recorded-ids.ts";
import type { Changed } from "./store.ts";
import type { Spending } from "./spending.ts";

/** What was really used, processing tokens or what the API told. */
export interface Recording {
  readonly call: Call;
  readonly usage: number | TokenUsage;
  /**
   * What the figure is:
   * - `call`: of one call, added to what is there. With the id of its lease it settles that; told twice under one id, it counts once.
   * - `total`: of everything of this agent, session, run and day so far, as the caller adds it up. It replaces a smaller total, so it
   *   may be told as often as one likes.
   *
   * Of the same agent, session, run and day the larger of the calls' sum and the total counts; they are never added up. What the
   * ledger knows of the session from transcripts is not added to it either.
   */
  readonly as:
    | { readonly kind: "call"; readonly leaseId: string | null }
    | { readonly kind: "total"; readonly day?: string };
}

export interface Recorded {
  readonly tokens: number;
  /** False when it was told before. */
  readonly isNew: boolean;
  /** What the call used beyond its lease; 0 without a lease, null when the lease was over already. */
  readonly beyondLease: number | null;
}

/**
 * Records what was used, whether or not it was allowed or there is a budget: a fact is never refused. A lease that is settled
 * gives back what it did not use.
 */
export async function recordUsage(
  { call, usage, as }: Recording,
  ports: Pick<BudgetPorts, "spending" | "clock" | "unique">,
): Promise<Budgeted<Recorded>> {
  const spender = spenderOf(call);
  if (!spender.ok) return spender;
  const tokens = checkedTokens(typeof usage === "number" ? usage : processingTokens(usage));
  if (!tokens.ok) return tokens;
  const at = Math.round(ports.clock.now());
  const today = formatDay(new Date(at));
  const day = as.kind === "total" ? (as.day ?? today) : today;
  if (!isDay(day)) return fail("invalid", "a day is written as 2026-11-21");
  // Those days are one sum already.
  if (day < firstDayKept(at))
    return fail(
      "invalid",
      `what was used on ${day} cannot be told any more; ${firstDayKept(at)} is the first day`,
    );
  const told = { spender: spender.value, day, tokens: tokens.value, at };
  if (as.kind === "total") return await ports.spending.update((spending) => takeTotal(spending, told));
  const { leaseId } = as;
  // Without a lease it has an id of its own, so that trying again after a failed write does not count it twice.
  const id = checkedLeaseId(leaseId ?? ports.unique());
  if (!id.ok) return id;
  return await ports.spending.update((spending) =>
    takeCall(spending, { id: id.value, isLeased: leaseId !== null }, told),
  );
}

/** Input, output and what was written to the cache. */
function processingTokens(usage: TokenUsage): number {
  return usage.input + usage.output + cacheCreation(usage);
}

function takeTotal(spending: Spending, told: Told): Changed<Recorded> {
  const current = withoutOld(spending, told.at);
  const observed = observe(current, told);
  const isNew = observed !== current;
  return {
    spending: isNew ? observed : spending,
    value: { tokens: told.tokens, isNew, beyondLease: 0 },
  };
}

function takeCall(
  spending: Spending,
  { id, isLeased }: { id: string; isLeased: boolean },
  told: Told,
): Changed<Recorded> {
  const lease = spending.leases.find((each) => each.id === id);
  const isNew = !isRecorded(spending, id);
  const beyond = lease === undefined ? null : Math.max(0, told.tokens - lease.tokens);
  const value = { tokens: told.tokens, isNew, beyondLease: isLeased ? beyond : 0 };
  if (!isNew && lease === undefined) return { spending, value };
  return { spending: settle(withoutOld(spending, told.at), id, told), value };
}
