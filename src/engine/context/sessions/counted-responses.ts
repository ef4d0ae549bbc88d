import type { ApiResponse } from "../../usage/api-response.ts";
import type { Catalogue } from "../../usage/catalogue.ts";
import type { Figure } from "../../usage/provenance.ts";
import { priceUsage, type Cost } from "../../usage/price.ts";
import { ResponseSet } from "../../usage/response-set.ts";
import { cacheCreation, type TokenUsage } from "../../usage/token-counts.ts";
import { costOf } from "./cost.ts";

/** Maximum cached times; few are in use at once: the start of a day, of a prompt, and of the ledger's last report. */
const mostTimes = 8;

/**
 * API responses, each once, with their sums. A sum is cached until another response comes: most sessions
 * stand still while one grows, and all of them are described at every update.
 */
export class CountedResponses {
  readonly #responses = new ResponseSet<ApiResponse>();
  #usage: TokenUsage | undefined;
  /** Processed tokens by start time: hooks ask for the same time until the next response. */
  readonly #processed = new Map<number, number>();
  #cost: { readonly catalogue: Catalogue; readonly before: number | null; readonly cost: Figure } | undefined;

  /** A response keeps its price, while their sum changes with each that comes. */
  #priced: { readonly catalogue: Catalogue; readonly costs: WeakMap<ApiResponse, Cost> } | undefined;

  add(response: ApiResponse): void {
    this.#responses.add(response);
    this.#usage = undefined;
    this.#processed.clear();
    this.#cost = undefined;
  }

  usage(): TokenUsage {
    this.#usage ??= sumUsage(this.#responses.responses());
    return this.#usage;
  }

  /**
   * Returns the processing tokens of responses after this time.
   * @param at milliseconds since the epoch
   */
  processedAfter(at: number): number {
    const known = this.#processed.get(at);
    if (known !== undefined) return known;
    let tokens = 0;
    for (const { at: then, usage } of this.#responses.responses())
      if (then !== null && then > at) tokens += usage.input + usage.output + cacheCreation(usage);
    if (this.#processed.size >= mostTimes) this.#processed.clear();
    this.#processed.set(at, tokens);
    return tokens;
  }

  /**
   * Returns the cost of the responses at list price. USD.
   *
   * @param before milliseconds since the epoch; responses from then on do not count
   */
  cost(catalogue: Catalogue, before: number | null = null): Figure {
    if (this.#cost?.catalogue !== catalogue || this.#cost.before !== before)
      this.#cost = {
        catalogue,
        before,
        cost: costOf(earlier(this.#responses.responses(), before), (response) =>
          this.#priceOf(response, catalogue),
        ),
      };
    return this.#cost.cost;
  }

  #priceOf(response: ApiResponse, catalogue: Catalogue): Cost {
    if (this.#priced?.catalogue !== catalogue) this.#priced = { catalogue, costs: new WeakMap() };
    const { costs } = this.#priced;
    const cost = costs.get(response) ?? priceUsage(response, catalogue);
    costs.set(response, cost);
    return cost;
  }
}

function* earlier(responses: Iterable<ApiResponse>, before: number | null): Generator<ApiResponse> {
  for (const response of responses)
    if (before === null || response.at === null || response.at < before) yield response;
}

/** Adds up without an object for each response: a session has thousands. */
function sumUsage(responses: Iterable<ApiResponse>): TokenUsage {
  let [input, output, cacheCreation5m, cacheCreation1h, cacheRead] = [0, 0, 0, 0, 0];
  for (const { usage } of responses) {
    input += usage.input;
    output += usage.output;
    cacheCreation5m += usage.cacheCreation5m;
    cacheCreation1h += usage.cacheCreation1h;
    cacheRead += usage.cacheRead;
  }
  return { input, output, cacheCreation5m, cacheCreation1h, cacheRead };
}
