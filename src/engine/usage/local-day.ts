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

/** Names what local days depend on: this machine's time zone, and the rules that this runtime knows of it. */
export function localZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return `${timeZone} ${process.versions["tz"] ?? ""}`;
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
