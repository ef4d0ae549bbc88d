import { contextOf, type ApiResponse } from "./api-response.ts";
import { type Catalogue, lookupModel } from "./catalogue.ts";
import { surcharges } from "./catalogue.generated.ts";
import type { ModelFacts, Price, Rates } from "./model-facts.ts";
import { standardTerms, type PriceTerms } from "./price-terms.ts";
import { noUsage } from "./token-counts.ts";

/** A cost in USD, or the reason why it is unknown. */
export type Cost =
  { readonly usd: number } | { readonly usd: null; readonly reason: "unknown_model" | "unknown_price" };

const unknownModel: Cost = { usd: null, reason: "unknown_model" };
const unknownPrice: Cost = { usd: null, reason: "unknown_price" };

/**
 * Returns the list price, in USD, of **one** API response: rates depend on its day and its prompt's size, so usage
 * summed over responses must not be passed in. `at` is milliseconds since the epoch; null is priced as on the
 * catalogue's date. An unknown rate makes the cost unknown unless no token of that kind was used. Fast mode, the United
 * States alone, batches and searches of the web are included as far as the response tells them; the priority tier is
 * priced by contract, and code execution by the hour. Where a response sums up several calls, the last one's prompt, which
 * is the largest, decides on the rates of all. Fast mode has one price for all prompts.
 */
export function priceUsage(
  { model, usage, at, terms = standardTerms, lastCall }: PricedUsage,
  catalogue: Catalogue,
): Cost {
  const facts = lookupModel(catalogue, model);
  if (facts === undefined) return unknownModel;
  const price = priceInForce(facts, at ?? startOfDay(catalogue.date));
  if (price === undefined) return unknownPrice;
  const rates = terms.isFast ? price : ratesForPrompt(price, contextOf({ usage, lastCall }));
  const factor = factorOf(facts, terms);
  const usd =
    (part(usage.input, rates.input) +
      part(usage.output, rates.output) +
      part(usage.cacheCreation5m, rates.cacheWrite5m) +
      part(usage.cacheCreation1h, rates.cacheWrite1h) +
      part(usage.cacheRead, rates.cacheRead)) /
    1_000_000;
  const searches = terms.webSearches * surcharges.webSearch;
  const cost = (usd === 0 ? 0 : usd * (factor ?? NaN)) + searches;
  return Number.isNaN(cost) ? unknownPrice : { usd: cost };
}

export type PricedUsage = Pick<ApiResponse, "model" | "usage" | "at" | "terms" | "lastCall">;

/** By how much the terms change the price of tokens; null where unknown. */
function factorOf({ fastFactor }: ModelFacts, { isFast, isUsOnly, isBatch }: PriceTerms): number | null {
  const ofSpeed = isFast ? fastFactor : 1;
  if (ofSpeed === null) return null;
  return ofSpeed * (isUsOnly ? surcharges.usOnly : 1) * (isBatch ? surcharges.batch : 1);
}

/** Returns the minimum cost of the next call, in USD: re-reading the present context from the cache. */
export function priceOfNextCall(
  { model, contextTokens, at }: { model: string; contextTokens: number; at: number | null },
  catalogue: Catalogue,
): Cost {
  return priceUsage({ model, usage: { ...noUsage, cacheRead: contextTokens }, at }, catalogue);
}

/** NaN stands for unknown, so that one unknown part makes the sum unknown. */
function part(tokens: number, rate: number | null): number {
  return tokens === 0 ? 0 : tokens * (rate ?? NaN);
}

function priceInForce({ prices }: ModelFacts, at: number): Price | undefined {
  let inForce = prices[0];
  for (const price of prices) if (price.from !== null && startOfDay(price.from) <= at) inForce = price;
  return inForce;
}

/** The few days that catalogues name, parsed once: usage is priced for tens of thousands of responses. */
const startsOfDays = new Map<string, number>();

function startOfDay(isoDate: string): number {
  const known = startsOfDays.get(isoDate);
  if (known !== undefined) return known;
  const start = Date.parse(isoDate);
  startsOfDays.set(isoDate, start);
  return start;
}

/** Anthropic, OpenAI and Google all price a whole response, including its output, by the size of its prompt. */
function ratesForPrompt(price: Price, promptTokens: number): Rates {
  let rates: Rates = price;
  for (const tier of price.tiers ?? []) if (promptTokens > tier.abovePromptTokens) rates = tier;
  return rates;
}
