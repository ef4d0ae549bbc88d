import { option, type OptionSpec, type ParsedOptions } from "./args.ts";
import { formatDay } from "../usage/local-day.ts";

export const dayForms = "a day such as 2026-11-21, today, yesterday, or 7d for seven days ago";

export function dayOption(name: string, does: string): OptionSpec {
  return { ...option(name, dayForms, does), accepts: (text) => parseDay(text, 0) !== undefined };
}

/** Milliseconds since the epoch. */
export function startIn(options: ParsedOptions, usual: string, now: number): number {
  const [year = 0, month = 1, date = 1] = (parseDay(options.value("since") ?? usual, now) ?? "")
    .split("-")
    .map(Number);
  return new Date(year, month - 1, date).getTime();
}

/** Returns a local day such as `2026-11-21`; undefined for an invalid text. */
export function parseDay(text: string, now: number): string | undefined {
  const back = daysBack(text);
  if (back !== undefined) {
    const today = new Date(now);
    return formatDay(new Date(today.getFullYear(), today.getMonth(), today.getDate() - back));
  }
  const [, year, month, day] = /^(\d{4})-?(\d\d)-?(\d\d)$/u.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const iso = `${year}-${month}-${day}`;
  const date = new Date(`${iso}T00:00:00Z`);
  // A day its month does not have is carried over into the next.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : undefined;
}

function daysBack(text: string): number | undefined {
  if (text === "today") return 0;
  if (text === "yesterday") return 1;
  const [, days] = /^(\d{1,4})d$/u.exec(text) ?? [];
  return days === undefined ? undefined : Number(days);
}
