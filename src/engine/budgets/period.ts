import { formatDay } from "../usage/local-day.ts";
import type { PeriodName } from "./budget.ts";

/**
 * The first local calendar day that counts in the period of a moment, such as `2026-11-16`; null where no calendar says it: all of it
 * counts, or one run, on all of its days. A week begins on Monday (ISO 8601).
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
 * The last day that counts in a period of a calendar: tomorrow, which it may be already where something was told. One that is later was
 * told by a clock that was ahead, and would count until it comes.
 */
export function lastDayCounted(now: number): string {
  const today = new Date(now);
  return formatDay(new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1));
}

/** Days before this one are in no period of a calendar any more. */
export function firstDayKept(now: number): string {
  const starts = [periodStart("week", now), periodStart("month", now)].filter((day) => day !== null);
  return starts.reduce((first, day) => (day < first ? day : first));
}

/** Whether a text is a day as they are written here. Days compare as texts. */
export function isDay(text: string): boolean {
  return /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/u.test(text);
}
