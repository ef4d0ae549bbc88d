import type { CountedResponse, UsageSum } from "../usage/aggregate.ts";
import { totalTokens } from "../usage/token-usage.ts";

/** Costs are summed as whole billionths of a dollar, so that a sum does not depend on the order. */
const nanosPerUsd = 1_000_000_000;

/** A running sum of responses. */
export class UsageTally {
  /** Milliseconds since the epoch of the last response, or minus infinity. */
  lastAt = -Infinity;
  responses = 0;
  #input = 0;
  #output = 0;
  #cacheCreation5m = 0;
  #cacheCreation1h = 0;
  #cacheRead = 0;
  #nanos = 0;
  #priced = 0;
  #unpriced = 0;

  /** @param usd the response's list price, or null when nobody knows it */
  add({ usage, at }: CountedResponse, usd: number | null): void {
    this.responses += 1;
    this.#input += usage.input;
    this.#output += usage.output;
    this.#cacheCreation5m += usage.cacheCreation5m;
    this.#cacheCreation1h += usage.cacheCreation1h;
    this.#cacheRead += usage.cacheRead;
    if (at !== null && at > this.lastAt) this.lastAt = at;
    if (usd === null) this.#unpriced += Number(totalTokens(usage) > 0);
    else {
      this.#nanos += Math.round(usd * nanosPerUsd);
      this.#priced += 1;
    }
  }

  include(other: UsageTally): void {
    this.responses += other.responses;
    this.#input += other.#input;
    this.#output += other.#output;
    this.#cacheCreation5m += other.#cacheCreation5m;
    this.#cacheCreation1h += other.#cacheCreation1h;
    this.#cacheRead += other.#cacheRead;
    this.lastAt = Math.max(this.lastAt, other.lastAt);
    this.#nanos += other.#nanos;
    this.#priced += other.#priced;
    this.#unpriced += other.#unpriced;
  }

  sum(): UsageSum {
    const isPriced = this.#priced > 0 || this.#unpriced === 0;
    return {
      responses: this.responses,
      usage: {
        input: this.#input,
        output: this.#output,
        cacheCreation5m: this.#cacheCreation5m,
        cacheCreation1h: this.#cacheCreation1h,
        cacheRead: this.#cacheRead,
      },
      usd: isPriced ? this.#nanos / nanosPerUsd : null,
      unpriced: this.#unpriced,
    };
  }
}
