import type { Catalogue } from "../../usage/catalogue.ts";
import { priceUsage } from "../../usage/price.ts";
import type { UsageSum } from "../../usage/sum.ts";
import { noUsage, type TokenUsage } from "../../usage/token-counts.ts";

/** USD. */
export interface CostByKind {
  readonly input: number;
  readonly cacheWrites: number;
  readonly output: number;
  readonly cacheReads: number;
}

const kinds = ["input", "cacheCreation5m", "cacheCreation1h", "output", "cacheRead"] as const;

/**
 * Splits costs by kind of token. The total of each sum is measured, its parts are estimated: by the model's plain prices of
 * its day, as a sum no longer has the terms of its responses.
 */
export class CostKinds {
  readonly #catalogue: Catalogue;
  readonly #usd: Record<keyof TokenUsage, number> = { ...noUsage };
  readonly #rates = new Map<string, Readonly<Record<keyof TokenUsage, number>>>();

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  include({ model, day }: { readonly model: string; readonly day: string | null }, sum: UsageSum): void {
    if (sum.usd === null) return;
    const rates = this.#ratesOf(model, day);
    const parts = kinds.map((kind) => ({ kind, usd: sum.usage[kind] * rates[kind] }));
    const whole = parts.reduce((total, { usd }) => total + usd, 0);
    if (whole > 0) for (const { kind, usd } of parts) this.#usd[kind] += (sum.usd * usd) / whole;
  }

  costs(): CostByKind {
    const { input, output, cacheCreation5m, cacheCreation1h, cacheRead } = this.#usd;
    return { input, cacheWrites: cacheCreation5m + cacheCreation1h, output, cacheReads: cacheRead };
  }

  /** USD of one token; 0 where unknown. */
  #ratesOf(model: string, day: string | null): Readonly<Record<keyof TokenUsage, number>> {
    const key = `${day ?? ""} ${model}`;
    const known = this.#rates.get(key);
    if (known !== undefined) return known;
    const at = day === null ? null : Date.parse(day);
    const rates = { ...noUsage };
    for (const kind of kinds)
      rates[kind] = priceUsage({ model, at, usage: { ...noUsage, [kind]: 1 } }, this.#catalogue).usd ?? 0;
    this.#rates.set(key, rates);
    return rates;
  }
}
