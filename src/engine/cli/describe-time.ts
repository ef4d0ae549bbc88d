import { formatDay } from "../usage/local-day.ts";

/** `14:03:12`, local time; preceded by its day where that is not today. @param at milliseconds since the epoch */
export function describeTime(at: number, now: number): string {
  const [then, today] = [new Date(at), new Date(now)];
  const time = [then.getHours(), then.getMinutes(), then.getSeconds()]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
  return formatDay(then) === formatDay(today) ? time : `${formatDay(then)} ${time}`;
}
