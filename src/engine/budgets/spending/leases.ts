import { sentence } from "../../base/language.ts";
import { fail, succeed } from "../../base/result.ts";
import { answerTo, type BudgetAnswer } from "../check/check-answer.ts";
import type { Budgeted } from "../faults.ts";
import { checkedLeaseTime, type PlannedCall } from "../check/describe-answer.ts";
import { planCall, type BudgetPorts, type Plan } from "../check/check.ts";
import { withLease, withoutLease, withoutOld } from "./recorded-ids.ts";
import type { Changed } from "./spending-store.ts";
import type { Lease, Spending } from "./spending.ts";
import type { Amounts } from "../amounts.ts";
import { Tally } from "./tally.ts";

/** A dead agent's tokens are released after this time; a longer call renews its lease. Milliseconds. */
export const leaseTime = 10 * 60_000;

export interface Reservation {
  readonly answer: BudgetAnswer;
  /** Null if the call is not allowed: then nothing is reserved. */
  readonly lease: Lease | null;
}

/**
 * Checks a call as `checkBudget` does, and if it is allowed atomically reserves its projected tokens: concurrent agents see each
 * other's reservations, so together they stay within every limit as long as none uses more than it was granted, and each settles
 * or renews its lease in time.
 *
 * The lease ends when `recordUsage` settles it, when it is released, or when it expires. After a crash the tokens stay reserved
 * until then. Fails as `checkBudget` does.
 *
 * @param time duration of the lease, milliseconds
 */
export async function reserveTokens(
  call: PlannedCall,
  ports: BudgetPorts,
  time: number = leaseTime,
): Promise<Budgeted<Reservation>> {
  const lasting = checkedLeaseTime(time);
  if (!lasting.ok) return lasting;
  const planned = await planCall(call, ports);
  if (!planned.ok) return planned;
  const grantedAt = Math.round(ports.clock.now());
  const { spender } = planned.value;
  const expiresAt = grantedAt + lasting.value;
  const asked = { ...spender, id: ports.unique(), grantedAt, expiresAt };
  return await ports.spending.update((spending) => grant(asked, planned.value, spending));
}

function grant(
  asked: Omit<Lease, keyof Amounts>,
  { spender, limits, budgets, projected }: Plan,
  spending: Spending,
): Changed<Reservation> {
  const now = asked.grantedAt;
  const others = withoutLease(withoutOld(spending, now), asked.id);
  const answer = answerTo(limits, projected, { tally: new Tally(others, budgets), spender, now });
  // Written by an earlier attempt: the lease exists as it was granted.
  const granted = spending.leases.find(({ id }) => id === asked.id);
  if (granted !== undefined) return { spending, value: { answer, lease: granted } };
  const { tokens, usd, credits } = answer.amounts;
  const lease = { ...asked, tokens, usd, credits };
  if (!answer.allowed) return { spending, value: { answer, lease: null } };
  return { spending: withLease(others, lease), value: { answer, lease } };
}

/**
 * Extends a lease for a call that is still under way. Fails with `not_found` if it is over: its tokens may have been granted to
 * others, and the call needs a new reservation.
 */
export async function renewLease(
  id: string,
  ports: Pick<BudgetPorts, "spending" | "clock">,
  time: number = leaseTime,
): Promise<Budgeted<Lease>> {
  const lasting = checkedLeaseTime(time);
  if (!lasting.ok) return lasting;
  const now = Math.round(ports.clock.now());
  const expiresAt = now + lasting.value;
  const renewed = await ports.spending.update((spending): Changed<Lease | null> => {
    const current = withoutOld(spending, now);
    const lease = current.leases.find((each) => each.id === id);
    if (lease === undefined || lease.expiresAt >= expiresAt) return { spending, value: lease ?? null };
    const longer = { ...lease, expiresAt };
    return { spending: withLease(current, longer), value: longer };
  });
  if (!renewed.ok) return renewed;
  if (renewed.value !== null) return succeed(renewed.value);
  return fail("not_found", sentence("the lease is over; ask for the tokens again"));
}

/** Releases the tokens of a call that was not made. Does nothing if the lease is already over. */
export function releaseLease(id: string, ports: Pick<BudgetPorts, "spending">): Promise<Budgeted<null>> {
  return ports.spending.update((spending) => ({ spending: withoutLease(spending, id), value: null }));
}
