import { createHash } from "node:crypto";

/** Zones differ from UTC, and change to summer time, by whole quarters of an hour. Milliseconds. */
const quarter = 900_000;

/**
 * Tells the local calendar day, such as `2026-11-21`, of a time in milliseconds since the epoch. Asking the calendar is
 * slow, so each quarter of an hour is asked for once.
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

/** The years in which somebody may have asked an agent something, for as long as this code is likely to be used. */
const [firstYear, lastYear] = [2015, 2045];
const day = 86_400_000;

/**
 * Names what local days depend on: how far this machine's zone is from UTC, day by day. The zone's own name would need `Intl`, whose
 * first use costs a process 8 MB and 30 ms.
 */
export function localZone(): string {
  const offsets = createHash("sha256");
  let before = NaN;
  for (let at = Date.UTC(firstYear); at < Date.UTC(lastYear); at += day) {
    const offset = new Date(at).getTimezoneOffset();
    if (offset !== before) offsets.update(`${at} ${offset} `);
    before = offset;
  }
  return offsets.digest("base64url").slice(0, 12);
}

/** A date's local calendar day, such as `2026-11-21`. */
export function formatDay(date: Date): string {
  const part = (value: number, length: number) => String(value).padStart(length, "0");
  return `${part(date.getFullYear(), 4)}-${part(date.getMonth() + 1, 2)}-${part(date.getDate(), 2)}`;
}

/** The first and last local calendar days that count, such as `2026-11-21`; null is no limit. */
interface DayLimits {
  readonly since: string | null;
  readonly until: string | null;
}

export function isLimited({ since, until }: DayLimits): boolean {
  return since !== null || until !== null;
}

/** What has no day is within no limits, but is where there are none. */
export function isDayWithin(day: string | null, limits: DayLimits): boolean {
  if (!isLimited(limits)) return true;
  return day !== null && day >= (limits.since ?? day) && day <= (limits.until ?? day);
}
