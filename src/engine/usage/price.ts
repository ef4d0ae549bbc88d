import { contextOf, type ApiResponse } from "./api-response.ts";
import { type Catalogue, lookupModel } from "./catalogue/catalogue.ts";
import { surcharges } from "./model-prices.generated.ts";
import type { ModelFacts, Price, PriceTier, Rates } from "./catalogue/model-name.ts";
import { standardTerms, type PriceTerms } from "./price-terms.ts";
import { noUsage, totalTokens } from "./token-counts.ts";

export {
  codeOfTerms,
  standardTerms,
  termsOfCode,
  termsOfText,
  textOfTerms,
  unlessStandard,
  type PriceTerms,
} from "./price-terms.ts";

/**
 * A cost in USD, or the reason why it is unknown. `isStandardTier` marks the list price of the standard tier where
 * the response was, or may have been, served in another.
 */
export type Cost =
  | { readonly usd: number; readonly isStandardTier?: true }
  | { readonly usd: null; readonly reason: "unknown_model" | "unknown_price" };

const unknownModel: Cost = { usd: null, reason: "unknown_model" };
const unknownPrice: Cost = { usd: null, reason: "unknown_price" };

/**
 * Returns the list price, in USD, of **one** API response. Rates depend on its day and its prompt's size, so usage
 * summed over responses must not be passed in. `at` is milliseconds since the epoch; null is priced as on the
 * catalogue's date. An unknown rate makes the cost unknown unless no token of that kind was used. Fast mode, the United
 * States alone, batches and searches of the web are included as far as the response reports them. A tier without a list
 * price gets that of the standard tier, marked as such. Code execution is priced by the hour. If a response sums up
 * several calls, the last one's prompt, which is the largest, decides on the rates of all.
 */
export function priceUsage(
  { model, usage, at, terms = standardTerms, lastCall }: PricedUsage,
  catalogue: Catalogue,
): Cost {
  const facts = lookupModel(catalogue, model);
  if (facts === undefined) return unknownModel;
  const price = priceInForce(facts, at ?? startOfDay(catalogue.date));
  if (price === undefined) return unknownPrice;
  const tier = tierForPrompt(price, contextOf({ usage, lastCall }));
  const speed = speedPrice(facts, terms, tier !== null);
  const searches = terms.webSearches * surcharges.webSearch;
  if (speed === null) return totalTokens(usage) > 0 ? unknownPrice : { usd: searches };
  const rates: Rates = speed.isForAllPrompts ? price : (tier ?? price);
  const factor =
    speed.factor * (terms.isUsOnly ? surcharges.usOnly : 1) * (terms.isBatch ? surcharges.batch : 1);
  const usd =
    (part(usage.input, rates.input) +
      part(usage.output, rates.output) +
      part(usage.cacheCreation5m, rates.cacheWrite5m) +
      part(usage.cacheCreation1h, rates.cacheWrite1h) +
      part(usage.cacheRead, rates.cacheRead)) /
    1_000_000;
  const cost = usd * factor + searches;
  if (Number.isNaN(cost)) return unknownPrice;
  return speed.isStandardTier || terms.isOtherTier ? { usd: cost, isStandardTier: true } : { usd: cost };
}

export type PricedUsage = Pick<ApiResponse, "model" | "usage" | "at" | "terms" | "lastCall">;

interface SpeedPrice {
  readonly factor: number;
  /** Large prompts cost no more. */
  readonly isForAllPrompts: boolean;
  readonly isStandardTier: boolean;
}

const standardSpeed: SpeedPrice = { factor: 1, isForAllPrompts: false, isStandardTier: false };

/**
 * The effect of the speed on the price; null where unknown. Anthropic reports that a response was served fast, so the
 * standard price would be wrong. Other agents report the requested speed: without a price for it, it is served as
 * standard.
 */
function speedPrice(
  { fast, provider }: ModelFacts,
  { isFast }: PriceTerms,
  isLarge: boolean,
): SpeedPrice | null {
  if (!isFast) return standardSpeed;
  if (fast === null && provider === "anthropic") return null;
  if (fast === null || (isLarge && fast.large === "standard"))
    return { ...standardSpeed, isStandardTier: true };
  return { factor: fast.factor, isForAllPrompts: fast.large === "same", isStandardTier: false };
}

/** Returns the minimum cost of the next call, in USD: re-reading the present context from the cache. */
export function priceOfNextCall(
  { model, contextTokens, at }: { model: string; contextTokens: number; at: number | null },
  catalogue: Catalogue,
): Cost {
  return priceUsage({ model, usage: { ...noUsage, cacheRead: contextTokens }, at }, catalogue);
}

/** NaN means unknown, so that one unknown part makes the sum unknown. */
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
function tierForPrompt({ tiers = [] }: Price, promptTokens: number): PriceTier | null {
  return tiers.findLast((tier) => promptTokens > tier.abovePromptTokens) ?? null;
}
