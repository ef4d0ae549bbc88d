import { priceUsage } from "../usage/price.ts";
import type { Catalogue } from "../usage/catalogue.ts";

/**
 * Typical composition of a small task's processing tokens, as seen in coding agents' sessions: most are written to the cache once. An
 * estimate.
 */
const mix = { input: 0.05, output: 0.12, cacheCreation: 0.83 };

/** Requests of a small task; rates may depend on a prompt's size, so each request is priced on its own. */
const requests = 15;

/** Returns the expected list price of that many tokens, in USD, or null if unknown. */
export function estimatePrice(
  model: string,
  { processing, cacheRead }: { readonly processing: number; readonly cacheRead: number },
  catalogue: Catalogue,
): number | null {
  const usage = {
    input: (processing * mix.input) / requests,
    output: (processing * mix.output) / requests,
    cacheCreation5m: (processing * mix.cacheCreation) / requests,
    cacheCreation1h: 0,
    cacheRead: cacheRead / requests,
  };
  const { usd } = priceUsage({ model, usage, at: null }, catalogue);
  return usd === null ? null : usd * requests;
}
