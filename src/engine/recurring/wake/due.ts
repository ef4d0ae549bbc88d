import { Cron } from "croner";
import type { RecurringAgent } from "../agents/definition.ts";
import type { WakeRow } from "../../ledger/woken.ts";

/** A slot is a time of the schedule, in milliseconds since the epoch. */

type Scheduled = Pick<RecurringAgent, "schedule" | "timezone">;

/**
 * Maximum age of a missed slot. A machine that slept longer wakes its agents once, for the newest slot.
 * Milliseconds.
 */
const maxBackMs = 8 * 86_400_000;

/**
 * Maximum time that a stored time may lie ahead, as clocks are corrected by this much. A later one comes from
 * a wrong clock, and would keep its agent asleep. Milliseconds.
 */
export const maxAheadMs = 2 * 3_600_000;

/** Null without a schedule, or if no slot follows. */
export function nextSlot(agent: Scheduled, after: number): number | null {
  return cronOf(agent)?.nextRun(new Date(after))?.getTime() ?? null;
}

/** Null if there was none in the last eight days. */
export function lastSlotBefore(agent: Scheduled, now: number): number | null {
  const cron = cronOf(agent);
  if (cron === null) return null;
  // It searches before a time, and slots are whole seconds.
  const [found] = cron.previousRuns(1, new Date((Math.floor(now / 1000) + 1) * 1000));
  const slot = found?.getTime() ?? null;
  return slot === null || now - slot > maxBackMs ? null : slot;
}

/**
 * One wake makes up for all missed slots. An agent that was never woken is due at its first slot after consent. `lastSlot` is that of its last wake;
 * `knownSince` is when its person agreed to it.
 */
export function dueSlot(
  agent: Scheduled,
  {
    lastSlot,
    knownSince,
    now,
  }: { readonly lastSlot: number | null; readonly knownSince: number; readonly now: number },
): number | null {
  const slot = lastSlotBefore(agent, now);
  if (slot === null || isTaken(slot, { lastSlot: lastSlot ?? knownSince, now })) return null;
  return slot;
}

/** For this slot or a later one. A clock that was set back repeats earlier slots. */
export function isTaken(
  slot: number,
  { lastSlot, now }: { readonly lastSlot: number | null; readonly now: number },
): boolean {
  return lastSlot !== null && lastSlot - now <= maxAheadMs && slot <= lastSlot;
}

/** Null without a schedule. Milliseconds. */
export function usualGap(agent: Scheduled, now: number): number | null {
  const cron = cronOf(agent);
  if (cron === null) return null;
  const runs = cron.nextRuns(10, new Date(now)).map((run) => run.getTime());
  const gaps = runs
    .slice(1)
    .map((at, index) => at - (runs[index] ?? at))
    .toSorted((one, other) => one - other);
  return gaps[Math.floor(gaps.length / 2)] ?? null;
}

function cronOf({ schedule, timezone }: Scheduled): Cron | null {
  if (schedule === undefined) return null;
  return new Cron(schedule, { paused: true, ...(timezone === undefined ? {} : { timezone }) });
}

/**
 * Pause of scheduled wakes after quota or network failed: doubled with each failure in a row. Milliseconds.
 */
const [minPauseMs, maxPauseMs] = [5 * 60_000, 4 * 3_600_000];

/** Null for no pause. `now`: milliseconds since the epoch. */
export function pauseAfter(
  before: { readonly until: number; readonly failures: number } | null,
  { outcome }: WakeRow,
  now: number,
): { until: number; failures: number } | null {
  if (outcome !== "environment") return null;
  const failures = (before?.failures ?? 0) + 1;
  return { failures, until: now + Math.min(maxPauseMs, minPauseMs * 2 ** Math.min(failures - 1, 20)) };
}

/** Null if there is no pause now. An end beyond the maximum pause comes from a clock that was ahead. */
export function pauseEnd(pause: { readonly until: number } | null, now: number): number | null {
  if (pause === null || pause.until <= now || pause.until - now > maxPauseMs) return null;
  return pause.until;
}
