import {
  addCounters,
  increaseOf,
  isSame,
  isZero,
  type Counters,
  pickCounters,
} from "../../usage/api-response.ts";
import type { CodexUsage } from "./codex-row-schema.ts";
import { usageOfWholeInput, type TokenUsage } from "../../usage/token-counts.ts";

/** The usage of a `token_count` line, and where it was found. */
export interface LineUsage {
  readonly counters: Counters;
  /** False for the growth of a total: the line has no figure of its own response. */
  readonly isExact: boolean;
}

export interface TotalRow {
  readonly total: CodexUsage;
  readonly last: CodexUsage | null;
  /** The first total may include the parent's usage: a fork continues its parent's total. */
  readonly mayInherit: boolean;
  /** The context window: no response has more input. Null when unknown. */
  readonly window: number | null;
}

/** More counters than any rollout has. */
const maxTotals = 16;

/**
 * Finds the usage of each `token_count` line. `last_token_usage` is exact, and always preferred. The growth of a total
 * counts only on a line without it. A total alone does not show what its line added: one rollout may have several
 * alternating totals, repeat an older line, or begin with the total of the session that it continues.
 */
export class TotalCounter {
  #totals: Counters[] = [];
  /** All totals read since the counters began, each with the usages that it was written with. */
  readonly #seen = new Map<string, Set<string>>();

  /** Null when the line reports no new usage, or none that can be determined. */
  advance({ total, last, mayInherit, window }: TotalRow): LineUsage | null {
    const now = countersOf(total);
    const own = last === null ? null : countersOf(last);
    // When the context is full Codex sets every counter to zero except the sum, and counts on from there.
    if (isZero(now) && (own === null || isZero(own))) {
      if (this.#totals.length > 0) this.#totals = [now];
      this.#seen.clear();
      return null;
    }
    const written = this.#seen.get(textOf(now)) ?? new Set<string>();
    this.#seen.set(textOf(now), written.add(lastOf(last)));
    if (own !== null && !isZero(own)) {
      this.#follow(now, this.#totals.find((each) => isSame(addCounters(each, own), now)) ?? null);
      return { counters: own, isExact: true };
    }
    const before = this.#nearest(now);
    const isFirst = this.#totals.length === 0;
    const { delta } = increaseOf(before, now);
    // The total of an unknown counter, or of a continued session: no single response is that long.
    const isTooLong = window !== null && window > 0 && (delta["input_tokens"] ?? 0) > window;
    // Lower than every known total: the counter started over.
    this.#follow(now, isTooLong ? null : (before ?? this.#totals.at(-1) ?? null));
    // A first total that its line does not explain may be another session's.
    if (isTooLong || isZero(delta) || (isFirst && (mayInherit || own !== null))) return null;
    return { counters: delta, isExact: false };
  }

  /**
   * Whether a line is written again. A known total with another last usage is new only if that usage leads to it: then
   * two counters have the same total.
   */
  isRepeated({ total, last }: Pick<TotalRow, "total" | "last">): boolean {
    const now = countersOf(total);
    const written = this.#seen.get(textOf(now));
    if (written === undefined) return false;
    if (last === null || written.has(lastOf(last))) return true;
    const { delta, isReset } = increaseOf(countersOf(last), now);
    return isReset || !(isZero(delta) || this.#seen.has(textOf(delta)));
  }

  /**
   * Whether a repeated line is the first of a counter that started over, and happens to have the figures of an earlier
   * one. After a prompt, Codex repeats only its latest total, and only before the model has answered.
   */
  canStartOver(
    { total, last }: Pick<TotalRow, "total" | "last">,
    { prompted, answered }: { readonly prompted: boolean; readonly answered: boolean },
  ): boolean {
    const now = countersOf(total);
    if (last === null || isZero(now) || !isSame(now, countersOf(last))) return false;
    const isLatest = this.#totals.some((each) => isSame(each, now));
    return prompted && (answered || !isLatest);
  }

  startOver(): void {
    this.#totals = [];
    this.#seen.clear();
  }

  /** Returns the highest known total that this one can continue. */
  #nearest(now: Counters): Counters | null {
    return this.#totals
      .filter((each) => !increaseOf(each, now).isReset)
      .reduce<Counters | null>(
        (best, each) => (best === null || !increaseOf(best, each).isReset ? each : best),
        null,
      );
  }

  /** Replaces the total that this one continues; a counter of its own is added. */
  #follow(now: Counters, before: Counters | null): void {
    this.#totals = this.#totals.filter((each) => each !== before);
    this.#totals.push({ ...before, ...now });
    if (this.#totals.length > maxTotals) this.#totals.shift();
  }
}

/** A missing counter is zero. */
function textOf(counters: Counters): string {
  return JSON.stringify(
    Object.entries(counters)
      .filter(([, value]) => value > 0)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** With the sum, which alone changes when Codex estimates the context. */
function lastOf(last: CodexUsage | null): string {
  return last === null ? "" : textOf(rawOf(last));
}

/**
 * The counters that are summed. `total_tokens` is not one: Codex raises it to the window size when the context is full.
 */
const summed = [
  "input_tokens",
  "output_tokens",
  "cached_input_tokens",
  "cache_write_input_tokens",
  "reasoning_output_tokens",
] as const;

export function countersOf(usage: CodexUsage): Counters {
  return pickCounters(usage, summed);
}

export function rawOf(usage: CodexUsage): Counters {
  return pickCounters(usage, [...summed, "total_tokens"]);
}

/** Reasoning is inside the output. */
export function usageOf(counters: Counters): TokenUsage {
  return usageOfWholeInput({
    input: counters["input_tokens"] ?? 0,
    output: counters["output_tokens"] ?? 0,
    cacheRead: counters["cached_input_tokens"] ?? 0,
    cacheCreation: counters["cache_write_input_tokens"] ?? 0,
  });
}
