import type { Catalogue } from "../../usage/catalogue.ts";
import { priceUsage } from "../../usage/price.ts";
import { noUsage, type TokenUsage } from "../../usage/token-counts.ts";

export type ByKind = Readonly<Record<keyof TokenUsage, number>>;

export const tokenKinds = ["input", "cacheCreation5m", "cacheCreation1h", "output", "cacheRead"] as const;

/** Plain prices of one token by kind, which split a known cost. USD. */
export class TokenRates {
  readonly #catalogue: Catalogue;
  readonly #rates = new Map<string, ByKind>();

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** 0 where unknown. */
  of(model: string, day: string | null): ByKind {
    const key = `${day ?? ""} ${model}`;
    const known = this.#rates.get(key);
    if (known !== undefined) return known;
    const at = day === null ? null : Date.parse(day);
    const rates = { ...noUsage };
    for (const kind of tokenKinds)
      rates[kind] = priceUsage({ model, at, usage: { ...noUsage, [kind]: 1 } }, this.#catalogue).usd ?? 0;
    this.#rates.set(key, rates);
    return rates;
  }

  /** Price of usage at plain prices. USD. */
  price(usage: TokenUsage, model: string, day: string | null): number {
    const rates = this.of(model, day);
    return tokenKinds.reduce((sum, kind) => sum + usage[kind] * rates[kind], 0);
  }
}
