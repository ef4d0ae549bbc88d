export { localZone } from "./local-zone.ts";

/** Zones differ from UTC, and change to summer time, by whole quarters of an hour. Milliseconds. */
const quarter = 900_000;

/**
 * Returns a function from a time in milliseconds since the epoch to its local calendar day, such as `2026-11-21`. The
 * calendar is slow, so it is called once per quarter of an hour.
 */
export function localDays(): (at: number) => string {
  const days = new Map<number, string>();
  return (at) => {
    const slot = Math.floor(at / quarter);
    const known = days.get(slot);
    if (known !== undefined) return known;
    const day = formatDay(new Date(slot * quarter));
    days.set(slot, day);
    return day;
  };
}

/** Formats a date's local calendar day, such as `2026-11-21`. */
export function formatDay(date: Date): string {
  const part = (value: number, length: number) => String(value).padStart(length, "0");
  return `${part(date.getFullYear(), 4)}-${part(date.getMonth() + 1, 2)}-${part(date.getDate(), 2)}`;
}

/** The first and last local calendar days that count, such as `2026-11-21`; null for no limit. */
interface DayLimits {
  readonly since: string | null;
  readonly until: string | null;
}

export function isLimited({ since, until }: DayLimits): boolean {
  return since !== null || until !== null;
}

/** Whether a day is within the limits. An unknown day is within only if there are no limits. */
export function isDayWithin(day: string | null, limits: DayLimits): boolean {
  if (!isLimited(limits)) return true;
  return day !== null && day >= (limits.since ?? day) && day <= (limits.until ?? day);
}
