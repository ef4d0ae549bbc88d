import { firstDayKept } from "./period.ts";
import { isLive, isSameSpender, type Lease, type Spender, type Spending, type UsageRow } from "./spending.ts";

/** How long something that was told is known, so that telling it again changes nothing. Milliseconds. */
const remembered = 48 * 3600 * 1000;

/** What of the spending still matters: leases that live, and days of a period that has not ended. */
export function withoutOld(spending: Spending, now: number): Spending {
  const first = firstDayKept(now);
  const leases = spending.leases.filter((lease) => isLive(lease, now));
  const usage = spending.usage.filter(({ day }) => day >= first);
  const recorded = spending.recorded.filter(({ at }) => at > now - remembered);
  const isAllKept =
    leases.length === spending.leases.length &&
    usage.length === spending.usage.length &&
    recorded.length === spending.recorded.length;
  return isAllKept ? spending : { leases, usage, recorded };
}

export function isRecorded(spending: Spending, id: string): boolean {
  return spending.recorded.some((each) => each.id === id);
}

export interface Told {
  readonly spender: Spender;
  /** Local calendar day the tokens were used on. */
  readonly day: string;
  readonly tokens: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Adds what a call used, once for each id; the lease of that id is settled with it. */
export function settle(spending: Spending, id: string, told: Told): Spending {
  if (isRecorded(spending, id)) return withoutLease(spending, id);
  const changed = changeRow(spending, told, (row) => ({
    ...row,
    settled: Math.min(Number.MAX_SAFE_INTEGER, row.settled + told.tokens),
  }));
  return { ...withoutLease(changed, id), recorded: [...spending.recorded, { id, at: told.at }] };
}

/** Takes a total of what was used so far. A smaller one than was told before changes nothing. */
export function observe(spending: Spending, told: Told): Spending {
  const known = spending.usage.find((row) => isRowOf(row, told));
  if (known !== undefined && known.observed >= told.tokens) return spending;
  return changeRow(spending, told, (row) => ({ ...row, observed: told.tokens }));
}

export function withLease(spending: Spending, lease: Lease): Spending {
  return { ...withoutLease(spending, lease.id), leases: [...withoutLease(spending, lease.id).leases, lease] };
}

export function withoutLease(spending: Spending, id: string): Spending {
  const leases = spending.leases.filter((lease) => lease.id !== id);
  return leases.length === spending.leases.length ? spending : { ...spending, leases };
}

function changeRow(spending: Spending, told: Told, change: (row: UsageRow) => UsageRow): Spending {
  const known = spending.usage.find((row) => isRowOf(row, told));
  const row = known ?? { ...told.spender, day: told.day, settled: 0, observed: 0, at: told.at };
  const others = spending.usage.filter((each) => each !== known);
  return { ...spending, usage: [...others, { ...change(row), at: told.at }] };
}

function isRowOf(row: UsageRow, { spender, day }: Told): boolean {
  return row.day === day && isSameSpender(row, spender);
}
