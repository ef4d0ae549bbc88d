import * as z from "zod/mini";
import type { WakeRow } from "../../ledger/woken.ts";

/** Of all wakes that started on a day. Days are UTC, counted since the epoch. */
export const daySpending = z.object({ day: z.int(), tokens: z.int().check(z.nonnegative()) });
export type DaySpending = z.output<typeof daySpending>;

/** Maximum stored days. A clock that is set back returns to an earlier one. */
const maxDays = 3;
const dayLength = 86_400_000;

/** Separate from the newest wakes, as a day may have more of them than are stored. */
export function withSpent(days: readonly DaySpending[], row: WakeRow): DaySpending[] {
  const day = dayOf(row.at);
  const tokens = spentOn(days, day) + processingTokens(row);
  return [...days.filter((each) => each.day !== day), { day, tokens }].slice(-maxDays);
}

/** `recent` serves states that an earlier version wrote. */
export function usedToday(
  { spent, recent }: { readonly spent: readonly DaySpending[]; readonly recent: readonly WakeRow[] },
  now: number,
): number {
  const day = dayOf(now);
  const own = recent.filter(({ at }) => dayOf(at) === day);
  return Math.max(
    spentOn(spent, day),
    own.reduce((sum, wake) => sum + processingTokens(wake), 0),
  );
}

/** where unknown. */
export function processingTokens(
  wake: Pick<WakeRow, "input" | "output" | "cacheCreation5m" | "cacheCreation1h">,
): number {
  return (wake.input ?? 0) + (wake.output ?? 0) + (wake.cacheCreation5m ?? 0) + (wake.cacheCreation1h ?? 0);
}

function spentOn(days: readonly DaySpending[], day: number): number {
  return days.find((each) => each.day === day)?.tokens ?? 0;
}

function dayOf(at: number): number {
  return Math.floor(at / dayLength);
}
