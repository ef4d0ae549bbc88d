import { increaseOf, isSame, isZero, type Counters } from "../../usage/cumulative.ts";
import type { CodexUsage } from "./row-schema.ts";
import { countersOf } from "./tokens.ts";

export interface TotalRow {
  readonly total: CodexUsage;
  readonly last: CodexUsage | null;
  /** The total may include what the parent of this session used: a fork goes on counting where its parent stood. */
  readonly mayInherit: boolean;
}

/** Turns the cumulative totals of `token_count` lines into what was used between them. */
export class TotalCounter {
  #total: Counters | null = null;

  /** What was used since the line before; null when nothing was, or nobody can tell. */
  advance({ total, last, mayInherit }: TotalRow): Counters | null {
    const now = countersOf(total);
    const before = this.#total;
    // When the context is full Codex sets all to zero but the sum, and counts from there.
    if (isZero(now)) {
      if (before !== null) this.#total = now;
      return null;
    }
    this.#total = { ...before, ...now };
    if (before !== null && isSame(before, this.#total)) return null;
    const latest = last === null ? null : countersOf(last);
    // The first of a counter that begins anew, even where it is larger than all the one before it had counted.
    if (latest !== null && isSame(latest, now)) return now;
    if (before === null && mayInherit) return latest === null || isZero(latest) ? null : latest;
    const { delta, isReset } = increaseOf(before, now);
    if (isReset) this.#total = now;
    return delta;
  }
}
