import { lookupModel, type Catalogue } from "../../usage/catalogue.ts";
import type { TokenUsage } from "../../usage/token-counts.ts";

/** Prices in uncached input tokens. */
export interface CacheWeights {
  readonly write5m: number;
  readonly write1h: number;
  readonly read: number;
}

/** Anthropic's list price ratios, for models of unknown price. Other vendors are close to them. */
const usualWeights: CacheWeights = { write5m: 1.25, write1h: 2, read: 0.1 };

/** By list prices. A rate that its provider does not have is that of plain input. */
export function cacheWeights(model: string, catalogue: Catalogue): CacheWeights {
  const rates = lookupModel(catalogue, model)?.prices[0];
  const input = rates?.input ?? null;
  if (rates === undefined || input === null || input <= 0) return usualWeights;
  const weight = (rate: number | null, otherwise: number) => (rate === null ? otherwise : rate / input);
  return {
    write5m: weight(rates.cacheWrite5m, 1),
    write1h: weight(rates.cacheWrite1h, weight(rates.cacheWrite5m, 1)),
    read: weight(rates.cacheRead, 1),
  };
}

/** Input, cache writes and cache reads as the number of uncached input tokens of the same cost. Rounded. */
export function normalizedInput(usage: TokenUsage, weights: CacheWeights): number {
  return Math.round(
    usage.input +
      usage.cacheCreation5m * weights.write5m +
      usage.cacheCreation1h * weights.write1h +
      usage.cacheRead * weights.read,
  );
}
