import type { Catalogue } from "../../usage/catalogue.ts";
import type { UsageSum } from "../../usage/sum.ts";
import { noUsage, type TokenUsage } from "../../usage/token-counts.ts";
import { tokenKinds, TokenRates } from "./token-rates.ts";

/** USD. */
export interface CostByKind {
  readonly input: number;
  readonly cacheWrites: number;
  readonly output: number;
  readonly cacheReads: number;
}

/**
 * Splits costs by kind of token. The total of each sum is measured, its parts are estimated: by the model's plain prices of
 * its day, as a sum no longer has the terms of its responses.
 */
export class CostKinds {
  readonly #usd: Record<keyof TokenUsage, number> = { ...noUsage };
  readonly #rates: TokenRates;

  constructor(catalogue: Catalogue) {
    this.#rates = new TokenRates(catalogue);
  }

  include({ model, day }: { readonly model: string; readonly day: string | null }, sum: UsageSum): void {
    if (sum.usd === null) return;
    const rates = this.#rates.of(model, day);
    const parts = tokenKinds.map((kind) => ({ kind, usd: sum.usage[kind] * rates[kind] }));
    const whole = parts.reduce((total, { usd }) => total + usd, 0);
    if (whole > 0) for (const { kind, usd } of parts) this.#usd[kind] += (sum.usd * usd) / whole;
  }

  costs(): CostByKind {
    const { input, output, cacheCreation5m, cacheCreation1h, cacheRead } = this.#usd;
    return { input, cacheWrites: cacheCreation5m + cacheCreation1h, output, cacheReads: cacheRead };
  }
}
