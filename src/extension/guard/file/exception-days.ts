/** Milliseconds. */
const day = 24 * 60 * 60_000;

/** Returns the local day of a time: `2026-12-31`. */
export function dayOf(time: number): string {
  const date = new Date(time);
  const two = (figure: number) => String(figure).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Returns ends that an exception may have: in a week, a month, a quarter. */
export function usualEnds(now: number): readonly string[] {
  return [7, 30, 90].map((days) => dayOf(now + days * day));
}

/**
 * Returns the number of days until a day begins: 0 or less if it has begun, null if the text is not a day.
 */
export function daysUntil(until: string, now: number): number | null {
  const end = new Date(`${until}T00:00:00`).getTime();
  return Number.isNaN(end) ? null : Math.ceil((end - now) / day);
}
