/** Times in readable form, in the editor's language and the user's time zone. */

import { t } from "../../engine/base/language.ts";

const language = document.documentElement.lang === "" ? undefined : document.documentElement.lang;
const dayFormat = new Intl.DateTimeFormat(language, { month: "short", day: "numeric" });
const yearFormat = new Intl.DateTimeFormat(language, { month: "short", day: "numeric", year: "numeric" });
const monthFormat = new Intl.DateTimeFormat(language, { month: "short", year: "numeric" });
const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
const clockFormat = new Intl.DateTimeFormat(language, clock);
// One format for both: languages differ in the separator of day and time, and Japanese has no comma there.
const dayTimeFormat = new Intl.DateTimeFormat(language, { month: "short", day: "numeric", ...clock });
const yearTimeFormat = new Intl.DateTimeFormat(language, {
  month: "short",
  day: "numeric",
  year: "numeric",
  ...clock,
});

/** The local calendar day, such as `2026-11-21`. @param at milliseconds since the epoch */
export function dayOf(at: number): string {
  const date = new Date(at);
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, "0")).join("-");
}

/** Noon of a day, which daylight saving time cannot move to another day. @param day `2026-11-21` */
export function dayDate(day: string): Date {
  return new Date(`${day}T12:00:00`);
}

/** One day, or the first and the last of several. */
export function daySpan(from: string, to: string): string {
  const [first, last] = [longDay(dayDate(from)), longDay(dayDate(to))];
  return from === to ? first : `${first} – ${last}`;
}

/** A full hour of a day, such as `14:00`. */
export const hourName = (hour: number): string => clockFormat.format(new Date(2026, 0, 1, hour));

export const shortDay = (date: Date): string => dayFormat.format(date);
export const longDay = (date: Date): string => yearFormat.format(date);
export const month = (date: Date): string => monthFormat.format(date);

/** A time of today as `14:32`, any other with its day. @param now milliseconds since the epoch */
export function moment(at: number, now: number): string {
  const [date, today] = [new Date(at), new Date(now)];
  if (date.toDateString() === today.toDateString()) return clockFormat.format(date);
  const isThisYear = date.getFullYear() === today.getFullYear();
  return (isThisYear ? dayTimeFormat : yearTimeFormat).format(date);
}

/** A duration as `12 s`, `4 min`, or `2 h 5 min`. @param ms milliseconds */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return t("{0} s", seconds);
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return t("{0} min", minutes);
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? t("{0} h", hours) : t("{0} h {1} min", hours, minutes % 60);
}
