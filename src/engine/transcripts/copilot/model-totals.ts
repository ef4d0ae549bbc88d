import { addCounters, increaseOf, isZero, type Counters } from "../../usage/api-response.ts";

/** The part of a model's cumulative total that no single response has reported. */
export interface UnreportedUsage {
  readonly model: string;
  readonly counters: Counters;
  /** The total it was derived from. */
  readonly raw: Counters;
}

type Totals = ReadonlyMap<string, Counters>;

/**
 * Converts the totals by model, written when a process ends, into the usage since the previous ones. Newer versions
 * continue the count when a session is resumed; older ones restart it with each process, without marking it. A restart
 * shows when any model's counter goes back, or by the output of the messages since, where they record it.
 */
export class ModelTotals {
  #totals: Totals = new Map();
  /** Usage reported by single responses since those totals. */
  #reported = new Map<string, Counters>();
  /** Output tokens of the messages since those totals. */
  #output = 0;

  /** Records a response that reported its own usage: the next totals include it. */
  addResponse(model: string, counters: Counters): void {
    this.#reported.set(model, addCounters(this.#reported.get(model) ?? {}, counters));
  }

  addOutput(tokens: number): void {
    this.#output += tokens;
  }

  advance(totals: Totals): UnreportedUsage[] {
    const before = this.#beginsAnew(totals) ? new Map<string, Counters>() : this.#totals;
    const unreported = [...totals].flatMap(([model, raw]) => {
      const { delta } = increaseOf(before.get(model) ?? null, raw);
      const { delta: counters, isReset: isMoreReported } = increaseOf(
        this.#reported.get(model) ?? null,
        delta,
      );
      // When single responses reported more than the total, they are the more precise figure.
      return isMoreReported || isZero({ ...counters, requests: 0 }) ? [] : [{ model, counters, raw }];
    });
    this.#totals = totals;
    this.#reported = new Map();
    this.#output = 0;
    return unreported;
  }

  #beginsAnew(totals: Totals): boolean {
    const wentBack = [...this.#totals].some(([model, before]) => {
      const now = totals.get(model);
      return now === undefined ? !isZero(before) : increaseOf(before, now).isReset;
    });
    if (wentBack || this.#output === 0) return wentBack;
    const [before, now] = [outputOf(this.#totals), outputOf(totals)];
    return Math.abs(now - this.#output) < Math.abs(now - before - this.#output);
  }
}

function outputOf(totals: Totals): number {
  return [...totals.values()].reduce((sum, counters) => sum + (counters["outputTokens"] ?? 0), 0);
}
