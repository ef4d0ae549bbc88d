import { formatDay } from "../usage/local-day.ts";
import type { PeriodName } from "./budget.ts";

/**
 * Returns the first local calendar day of the period that contains a moment, such as `2026-11-16`; null for periods that are not
 * calendar ones: all usage counts, or one run on all of its days. A week starts on Monday (ISO 8601).
 *
 * @param now milliseconds since the epoch
 */
export function periodStart(period: PeriodName, now: number): string | null {
  const today = new Date(now);
  const [year, month, day] = [today.getFullYear(), today.getMonth(), today.getDate()];
  switch (period) {
    case "total":
    case "run":
      return null;
    case "day":
      return formatDay(today);
    case "week":
      return formatDay(new Date(year, month, day - ((today.getDay() + 6) % 7)));
    case "month":
      return formatDay(new Date(year, month, 1));
  }
}

/**
 * Returns the last day that counts in a calendar period: its own last day, so that what was used while the clock was ahead counts
 * within it; and tomorrow, since in another time zone it may be that already. A later day came from a clock that was ahead, and counts
 * in its own period.
 */
export function lastDayCounted(period: PeriodName, now: number): string {
  const today = new Date(now);
  const [year, month, day] = [today.getFullYear(), today.getMonth(), today.getDate()];
  const tomorrow = formatDay(new Date(year, month, day + 1));
  const ends: Readonly<Partial<Record<PeriodName, Date>>> = {
    week: new Date(year, month, day + ((7 - today.getDay()) % 7)),
    month: new Date(year, month + 1, 0),
  };
  const end = ends[period];
  return end !== undefined && formatDay(end) > tomorrow ? formatDay(end) : tomorrow;
}

/** Returns the first day that is still in a calendar period; earlier ones no longer count. */
export function firstDayKept(now: number): string {
  const starts = [periodStart("week", now), periodStart("month", now)].filter((day) => day !== null);
  return starts.reduce((first, day) => (day < first ? day : first));
}

export function isDay(text: string): boolean {
  return /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/u.test(text);
}
