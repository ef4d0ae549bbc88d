import { inWords, type Sentence } from "../base/language.ts";
import { cleanText } from "../base/text.ts";
import { formatDay } from "../usage/local-day.ts";

/** `14:03:12`, local time, after its day if that is not today. */
export function describeTime(at: number, now: number): string {
  const [then, today] = [new Date(at), new Date(now)];
  const time = [then.getHours(), then.getMinutes(), then.getSeconds()]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
  return formatDay(then) === formatDay(today) ? time : `${formatDay(then)} ${time}`;
}

/** Formats a sentence for a terminal: translated, cleaned, on one line. */
export function asLine(sentence: Sentence): string {
  return cleanText(inWords(sentence));
}

/** Null for an invalid time: it came from an agent. */
export function isoTime(at: number | null): string | null {
  const time = new Date(at ?? NaN);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** `2026-03-05 14:03`, in UTC. */
export function utcMinute(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace("T", " ");
}
