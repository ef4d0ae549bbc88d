import type { Clock } from "../../src/engine/base/timing.ts";

/** The moment at which the sample is opened, as its files have it: they are shifted to the actual one. */
export const moment = Date.UTC(2026, 10, 2, 12);

export const minute = 60_000; // ms
export const hour = 60 * minute;
export const day = 24 * hour;

/** The story's time, which only the story moves. */
export class StoryClock implements Clock {
  #now = moment - 60 * day;

  now(): number {
    return this.#now;
  }

  /** @param before milliseconds before the sample is opened */
  set(before: number): void {
    this.#now = Math.max(this.#now, moment - before);
  }

  /** @param time milliseconds */
  pass(time: number): void {
    this.#now += time;
  }
}
