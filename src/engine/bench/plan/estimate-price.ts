import { priceUsage } from "../../usage/price.ts";
import type { Catalogue } from "../../usage/catalogue.ts";

/** What processing tokens of a small task are made of, as seen in coding agents' sessions: most is written to the cache once. An estimate. */
const mix = { input: 0.05, output: 0.12, cacheCreation: 0.83 };
/** Requests of a small task; rates may depend on a prompt's size, so each is priced by itself. */
const requests = 15;

/** What so many tokens are expected to cost by list price. USD, or null where nobody knows. */
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
