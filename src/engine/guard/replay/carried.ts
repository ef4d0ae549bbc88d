import { priceUsage } from "../../usage/price.ts";
import type { Catalogue } from "../../usage/catalogue.ts";
import { noUsage } from "../../usage/token-counts.ts";

/** Tokens that a smaller output would have kept out of a conversation. */
interface Saving {
  readonly rule: string;
  readonly tokens: number;
  /** The response that read it first; null until there is one. */
  first: { readonly number: number; readonly model: string | null; readonly at: number | null } | null;
}

export interface CarriedSum {
  outputs: number;
  written: number;
  read: number;
  usd: number | null;
  unpriced: number;
}

/**
 * Follows what smaller outputs would have saved in one conversation: an output is written to the context by the first response after it,
 * and read again by every later one, until the context is summed up. An output that no response followed was sent to no model.
 */
export class Carried {
  readonly #onEnd: (rule: string, sum: CarriedSum) => void;
  readonly #catalogue: Catalogue;
  /** Whether the agent's provider has a price of its own for writing to its cache. */
  readonly #writesCache: boolean;
  #responses = 0;
  #open: Saving[] = [];

  constructor(ports: {
    readonly catalogue: Catalogue;
    readonly writesCache: boolean;
    readonly onEnd: (rule: string, sum: CarriedSum) => void;
  }) {
    this.#catalogue = ports.catalogue;
    this.#writesCache = ports.writesCache;
    this.#onEnd = ports.onEnd;
  }

  save(rule: string, tokens: number): void {
    this.#open.push({ rule, tokens, first: null });
  }

  response(model: string | null, at: number | null): void {
    this.#responses += 1;
    for (const saving of this.#open) saving.first ??= { number: this.#responses, model, at };
  }

  /** Ends what is carried: at a compaction, and at the conversation's end. */
  end(): void {
    for (const { rule, tokens, first } of this.#open) {
      if (first === null) continue;
      const reads = this.#responses - first.number;
      const usd = this.#price(tokens, reads, first);
      this.#onEnd(rule, {
        outputs: 1,
        written: tokens,
        read: tokens * reads,
        usd,
        unpriced: usd === null ? 1 : 0,
      });
    }
    this.#open = [];
  }

  #price(tokens: number, reads: number, { model, at }: NonNullable<Saving["first"]>): number | null {
    if (model === null) return null;
    const written = this.#writesCache ? { cacheCreation5m: tokens } : { input: tokens };
    const once = priceUsage({ model, at, usage: { ...noUsage, ...written } }, this.#catalogue);
    const again = priceUsage({ model, at, usage: { ...noUsage, cacheRead: tokens } }, this.#catalogue);
    return once.usd === null || again.usd === null ? null : once.usd + reads * again.usd;
  }
}

export const nothingCarried: Readonly<CarriedSum> = {
  outputs: 0,
  written: 0,
  read: 0,
  usd: null,
  unpriced: 0,
};

/** Adds two sums; a price counts where one of them has one. */
export function addCarried(one: CarriedSum, other: CarriedSum): CarriedSum {
  const usd = one.usd === null ? other.usd : one.usd + (other.usd ?? 0);
  return {
    outputs: one.outputs + other.outputs,
    written: one.written + other.written,
    read: one.read + other.read,
    usd,
    unpriced: one.unpriced + other.unpriced,
  };
}
