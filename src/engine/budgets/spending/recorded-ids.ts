import { isDeepStrictEqual } from "node:util";
import { firstDayKept } from "../period.ts";
import { addAmounts, largerAmounts, noAmounts, type Amounts } from "../amounts.ts";
import {
  amountsIn,
  isLive,
  isSameSpender,
  usedIn,
  withAmounts,
  type Lease,
  type Spender,
  type Spending,
  type UsageRow,
} from "./spending.ts";

/** How long recorded ids are remembered, so that recording one again changes nothing. Milliseconds. */
const remembered = 48 * 3600 * 1000;
/** Day and run of folded usage: from days before every calendar period, counting only in totals. */
const [longAgo, noRun] = ["0001-01-01", "-"];

/** Returns the spending that still matters: live leases, days of current periods, and one sum of the days before. */
export function withoutOld(spending: Spending, now: number): Spending {
  const newest = newestDays(spending.usage);
  const first = firstDayKept(now);
  const leases = spending.leases.filter((lease) => isLive(lease, now));
  const recorded = spending.recorded.filter(({ at }) => at > now - remembered);
  const isOld = ({ day }: UsageRow) => day < first && day !== longAgo && !newest.has(day);
  const usage = spending.usage.some(isOld) ? foldOld(spending.usage, isOld) : spending.usage;
  const isAllKept =
    leases.length === spending.leases.length &&
    usage === spending.usage &&
    recorded.length === spending.recorded.length;
  return isAllKept ? spending : { ...spending, leases, usage, recorded };
}

function foldOld(usage: readonly UsageRow[], isOld: (row: UsageRow) => boolean): UsageRow[] {
  const sums = new Map<string, UsageRow>();
  const kept: UsageRow[] = [];
  for (const row of usage) {
    if (!isOld(row) && row.day !== longAgo) {
      kept.push(row);
      continue;
    }
    const key = JSON.stringify([row.convoyId, row.agentId, row.sessionId]);
    const sum = sums.get(key);
    const settled = addAmounts(sum === undefined ? noAmounts : amountsIn(sum).settled, usedIn(row));
    const folded = { ...row, day: longAgo, runId: noRun, at: Math.max(sum?.at ?? row.at, row.at) };
    sums.set(key, withAmounts(folded, { settled, observed: noAmounts }));
  }
  return [...kept, ...sums.values()];
}

/**
 * Days that are not folded whatever the clock says: while it is ahead, the days of the current month seem long past, and their usage
 * must count again when it is set back. No calendar period has more days.
 */
const daysKept = 38;

function newestDays(usage: readonly UsageRow[]): ReadonlySet<string> {
  return new Set([...new Set(usage.map(({ day }) => day))].toSorted().slice(-daysKept));
}

export function isRecorded(spending: Spending, id: string): boolean {
  return spending.recorded.some((each) => each.id === id);
}

export interface UsageReport {
  readonly spender: Spender;
  readonly day: string;
  readonly used: Amounts;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Adds a call's usage, once for each id, and settles the lease of that id. */
export function settle(spending: Spending, id: string, report: UsageReport): Spending {
  if (isRecorded(spending, id)) return withoutLease(spending, id);
  const changed = changeRow(spending, report, ({ settled, observed }) => ({
    settled: addAmounts(settled, report.used),
    observed,
  }));
  return { ...withoutLease(changed, id), recorded: [...spending.recorded, { id, at: report.at }] };
}

export function observe(spending: Spending, report: UsageReport): Spending {
  const known = spending.usage.find((row) => isRowOf(row, report));
  const before = known === undefined ? undefined : amountsIn(known).observed;
  const observed = before === undefined ? report.used : largerAmounts(before, report.used);
  if (before !== undefined && isDeepStrictEqual(before, observed)) return spending;
  return changeRow(spending, report, ({ settled }) => ({ settled, observed }));
}

export function withLease(spending: Spending, lease: Lease): Spending {
  return { ...withoutLease(spending, lease.id), leases: [...withoutLease(spending, lease.id).leases, lease] };
}

export function withoutLease(spending: Spending, id: string): Spending {
  const leases = spending.leases.filter((lease) => lease.id !== id);
  return leases.length === spending.leases.length ? spending : { ...spending, leases };
}

type RowAmounts = ReturnType<typeof amountsIn>;

function changeRow(
  spending: Spending,
  report: UsageReport,
  change: (amounts: RowAmounts) => RowAmounts,
): Spending {
  const known = spending.usage.find((row) => isRowOf(row, report));
  const row = known ?? { ...report.spender, day: report.day, settled: 0, observed: 0, at: report.at };
  const others = spending.usage.filter((each) => each !== known);
  const changed = { ...withAmounts(row, change(amountsIn(row))), at: report.at };
  return { ...spending, usage: [...others, changed] };
}

function isRowOf(row: UsageRow, { spender, day }: UsageReport): boolean {
  return row.day === day && isSameSpender(row, spender);
}
