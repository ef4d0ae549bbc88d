import { type ApiResponse, ResponseSet } from "../../usage/api-response.ts";
import type { Catalogue } from "../../usage/catalogue.ts";
import { type TokenUsage, cacheCreation, addUsage, type Figure } from "../../usage/token-counts.ts";
import { priceUsage } from "../../usage/price.ts";
import { CostSum } from "./cost.ts";

/** Maximum cached times; few are in use at once: the start of a day, of a prompt, and of the ledger's last report. */
const maxTimes = 8;

/**
 * API responses, each once, with their sums. A new response is added to the existing sums: a session has thousands of
 * responses, and is described again after each. Only the newest message still changes, as its copies arrive; after any
 * other change the sums are computed again.
 */
export class CountedResponses {
  readonly #responses: ResponseSet<ApiResponse>;
  /** Id of the newest message, which the sums lack. */
  #newest: string | null;
  #usage: UsageSum | undefined;
  #cost: CostBefore | undefined;
  /** Processed tokens by start time: hooks request the same time until the next response. */
  readonly #processed = new Map<number, number>();

  constructor(responses = new ResponseSet<ApiResponse>(), newest: string | null = null) {
    this.#responses = responses;
    this.#newest = newest;
  }

  add(response: ApiResponse): void {
    const { messageId } = response;
    if (!this.#responses.has(messageId)) {
      this.#settle();
      this.#newest = messageId;
    } else if (messageId !== this.#newest) {
      this.#usage = undefined;
      this.#cost = undefined;
    }
    this.#responses.add(response);
    this.#processed.clear();
  }

  usage(): TokenUsage {
    this.#usage ??= UsageSum.of(this.#settled());
    return this.#usage.with(this.#ofNewest());
  }

  /**
   * Returns the price of responses after this time, and their processing tokens without a known price.
   * @param at milliseconds since the epoch
   */
  pricedAfter(at: number, catalogue: Catalogue): { readonly usd: number; readonly unpriced: number } {
    let [usd, unpriced] = [0, 0];
    for (const response of this.#responses.responses()) {
      if (response.at === null || response.at <= at) continue;
      const price = priceUsage(response, catalogue);
      usd += price.usd ?? 0;
      if (price.usd === null) unpriced += processed(response);
    }
    return { usd, unpriced };
  }

  /**
   * Returns the processing tokens of responses after this time.
   * @param at milliseconds since the epoch
   */
  processedAfter(at: number): number {
    const known = this.#processed.get(at);
    if (known !== undefined) return known;
    let tokens = 0;
    for (const response of this.#responses.responses())
      if (response.at !== null && response.at > at) tokens += processed(response);
    if (this.#processed.size >= maxTimes) this.#processed.clear();
    this.#processed.set(at, tokens);
    return tokens;
  }

  /**
   * Returns the cost of the responses at list price. USD.
   *
   * @param before milliseconds since the epoch; responses from then on do not count
   */
  cost(catalogue: Catalogue, before: number | null = null): Figure {
    if (this.#cost?.catalogue !== catalogue || this.#cost.before !== before) {
      const sum = new CostSum(catalogue);
      for (const response of earlier(this.#settled(), before)) sum.add(response);
      this.#cost = { catalogue, before, sum };
    }
    return this.#cost.sum.with(earlier(this.#ofNewest(), before));
  }

  messageIds(): Iterable<string> {
    return this.#responses.messageIds();
  }

  copy(): CountedResponses {
    return new CountedResponses(this.#responses.copy(), this.#newest);
  }

  #ofNewest(): readonly ApiResponse[] {
    return this.#newest === null ? [] : this.#responses.of(this.#newest);
  }

  #settled(): Iterable<ApiResponse> {
    return this.#newest === null ? [] : this.#responses.responses(this.#newest);
  }

  #settle(): void {
    if (this.#usage === undefined && this.#cost === undefined) return;
    const responses = this.#ofNewest();
    for (const { usage } of responses) this.#usage?.add(usage);
    for (const response of earlier(responses, this.#cost?.before ?? null)) this.#cost?.sum.add(response);
  }
}

function processed({ usage }: ApiResponse): number {
  return usage.input + usage.output + cacheCreation(usage);
}

interface CostBefore {
  readonly catalogue: Catalogue;
  readonly before: number | null;
  readonly sum: CostSum;
}

function* earlier(responses: Iterable<ApiResponse>, before: number | null): Generator<ApiResponse> {
  for (const response of responses)
    if (before === null || response.at === null || response.at < before) yield response;
}

/** Adds up without creating an object per response. */
class UsageSum {
  #input = 0;
  #output = 0;
  #cacheCreation5m = 0;
  #cacheCreation1h = 0;
  #cacheRead = 0;

  static of(responses: Iterable<ApiResponse>): UsageSum {
    const sum = new UsageSum();
    for (const { usage } of responses) sum.add(usage);
    return sum;
  }

  add(usage: TokenUsage): void {
    this.#input += usage.input;
    this.#output += usage.output;
    this.#cacheCreation5m += usage.cacheCreation5m;
    this.#cacheCreation1h += usage.cacheCreation1h;
    this.#cacheRead += usage.cacheRead;
  }

  /** Returns the sum including these responses, which are not added to it. */
  with(responses: readonly ApiResponse[]): TokenUsage {
    const usage = {
      input: this.#input,
      output: this.#output,
      cacheCreation5m: this.#cacheCreation5m,
      cacheCreation1h: this.#cacheCreation1h,
      cacheRead: this.#cacheRead,
    };
    return responses.reduce((all, { usage: each }) => addUsage(all, each), usage);
  }
}
