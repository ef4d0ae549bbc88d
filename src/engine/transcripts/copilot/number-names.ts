import type { TokenUsage } from "../../usage/token-counts.ts";
import { joined } from "../records/joined.ts";

/**
 * Names the responses of one source, in its order, from three facts: the session that used them, their numbers, and how
 * often that session had the same numbers before. A response gets the same name in every source.
 */
export class NumberNames {
  readonly #times = new Map<string, number>();

  next(usedBy: string, { input, output, cacheRead, cacheCreation5m }: TokenUsage): string {
    const numbers = joined("copilot", usedBy, [input, output, cacheRead, cacheCreation5m].join("/"));
    const before = this.#times.get(numbers) ?? 0;
    this.#times.set(numbers, before + 1);
    return joined(numbers, before);
  }
}
