import { addCounters, increaseOf, isZero, type Counters } from "../../usage/cumulative.ts";

/** What of a model's cumulative total no single response has told. */
export interface Untold {
  readonly model: string;
  readonly counters: Counters;
  /** The total it was derived from. */
  readonly raw: Counters;
}

type Totals = ReadonlyMap<string, Counters>;

/**
 * Turns the totals by model, written when a process ends, into what was used since the ones before. Newer versions go on
 * counting when a session is resumed, older ones begin anew with each process, and say nothing of it: counters that went
 * back tell, of whatever model, and so does the output of the messages since, where they have it.
 */
export class ModelTotals {
  #totals: Totals = new Map();
  /** What single responses told since those totals. */
  #told = new Map<string, Counters>();
  /** Output of the messages since those totals. Tokens. */
  #output = 0;

  /** A response told its own usage: the totals to come include it. */
  tell(model: string, counters: Counters): void {
    this.#told.set(model, addCounters(this.#told.get(model) ?? {}, counters));
  }

  hearOutput(tokens: number): void {
    this.#output += tokens;
  }

  advance(totals: Totals): Untold[] {
    const before = this.#beginsAnew(totals) ? new Map<string, Counters>() : this.#totals;
    const untold = [...totals].flatMap(([model, raw]) => {
      const { delta } = increaseOf(before.get(model) ?? null, raw);
      const { delta: counters, isReset: isToldMore } = increaseOf(this.#told.get(model) ?? null, delta);
      // Where single responses told more than the total, they are the finer truth.
      return isToldMore || isZero({ ...counters, requests: 0 }) ? [] : [{ model, counters, raw }];
    });
    this.#totals = totals;
    this.#told = new Map();
    this.#output = 0;
    return untold;
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
