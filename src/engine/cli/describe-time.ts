import { formatDay } from "../usage/local-day.ts";

/** `14:03:12`, local time, after its day if that is not today. */
export function describeTime(at: number, now: number): string {
  const [then, today] = [new Date(at), new Date(now)];
  const time = [then.getHours(), then.getMinutes(), then.getSeconds()]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
  return formatDay(then) === formatDay(today) ? time : `${formatDay(then)} ${time}`;
}
