import type { ApiResponse } from "../usage/api-response.ts";
import type { Catalogue } from "../usage/catalogue.ts";
import { priceUsage } from "../usage/price.ts";
import { unknownFigure, type Figure } from "../usage/provenance.ts";
import { cacheCreation, noUsage, occupancy, type TokenUsage } from "../usage/token-usage.ts";

const listPrice = "list price of each response";

/** What the responses cost at list price. Unknown as soon as one of them has no price: a partial sum would mislead. */
export function costOf(responses: Iterable<ApiResponse>, catalogue: Catalogue): Figure {
  let usd = 0;
  for (const response of responses) {
    const cost = priceUsage(response, catalogue);
    if (cost.usd === null) return unknownFigure(`no price is known for ${response.model}`);
    usd += cost.usd;
  }
  return { value: usd, provenance: "estimated", source: listPrice };
}

/** How long a cached prefix lives after it was last used. Milliseconds. */
const shortLife = 5 * 60_000;
const longLife = 60 * 60_000;

export interface NextCallInput {
  /** Tokens the next request carries. */
  readonly carried: number | null;
  readonly last: ApiResponse | null;
  readonly now: number;
  readonly catalogue: Catalogue;
}

export interface NextCall {
  readonly cost: Figure;
  /** When the cached context will have to be written again, milliseconds since the epoch; null when nothing is cached. */
  readonly cacheExpiresAt: number | null;
}

/**
 * What the next call costs for its context alone: re-reading it from the cache while that is warm, else writing it anew.
 * What will be asked and answered comes on top.
 */
export function nextCall({ carried, last, now, catalogue }: NextCallInput): NextCall {
  if (carried === null || last === null)
    return { cost: unknownFigure("no response yet"), cacheExpiresAt: null };
  const { usage, at, model } = last;
  const isCached = cacheCreation(usage) > 0 || usage.cacheRead > 0;
  const life = usage.cacheCreation1h > 0 ? longLife : shortLife;
  const cacheExpiresAt = isCached && at !== null ? at + life : null;
  const isWarm = isCached && (cacheExpiresAt === null || now < cacheExpiresAt);
  const cost = priceUsage(
    { model, usage: nextUsage({ carried, usage, isCached, isWarm }), at: now },
    catalogue,
  );
  if (cost.usd === null) return { cost: unknownFigure(`no price is known for ${model}`), cacheExpiresAt };
  const source = isWarm
    ? "reading the context from the cache"
    : isCached
      ? "the cache has expired: writing the context anew"
      : "sending the context uncached";
  return { cost: { value: cost.usd, provenance: "estimated", source }, cacheExpiresAt };
}

function nextUsage(input: {
  carried: number;
  usage: TokenUsage;
  isCached: boolean;
  isWarm: boolean;
}): TokenUsage {
  const { carried, usage, isCached, isWarm } = input;
  if (isWarm) return { ...noUsage, cacheRead: carried };
  if (!isCached) return { ...noUsage, input: carried };
  return usage.cacheCreation1h > 0
    ? { ...noUsage, cacheCreation1h: carried }
    : { ...noUsage, cacheCreation5m: carried };
}

/** Share of the sent tokens that came from the cache, 0 to 1. */
export function cacheReadShare(usage: TokenUsage): Figure {
  const sent = occupancy(usage);
  if (sent === 0) return unknownFigure("no response yet");
  return { value: usage.cacheRead / sent, provenance: "measured", source: "token usage of every response" };
}
