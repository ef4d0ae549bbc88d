import { increaseOf, isSame, isZero, type Counters } from "../../usage/cumulative.ts";
import type { CodexUsage } from "./row-schema.ts";
import { countersOf } from "./tokens.ts";

export interface TotalRow {
  readonly total: CodexUsage;
  readonly last: CodexUsage | null;
  /** The total may include the parent's usage: a fork goes on counting from its parent's total. */
  readonly mayInherit: boolean;
}

/** Converts the cumulative totals of `token_count` lines into the usage between them. */
export class TotalCounter {
  #total: Counters | null = null;

  /** The usage since the line before; null when there was none, or it cannot be determined. */
  advance({ total, last, mayInherit }: TotalRow): Counters | null {
    const now = countersOf(total);
    const before = this.#total;
    // When the context is full Codex resets every counter except the sum, and counts on from there.
    if (isZero(now)) {
      if (before !== null) this.#total = now;
      return null;
    }
    this.#total = { ...before, ...now };
    if (before !== null && isSame(before, this.#total)) return null;
    const latest = last === null ? null : countersOf(last);
    // The first total of a restarted counter, even if it is larger than the last one before the restart.
    if (latest !== null && isSame(latest, now)) return now;
    if (before === null && mayInherit) return latest === null || isZero(latest) ? null : latest;
    const { delta, isReset } = increaseOf(before, now);
    if (isReset) this.#total = now;
    return delta;
  }
}
