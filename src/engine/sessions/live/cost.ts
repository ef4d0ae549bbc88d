import type { PromptCache } from "../reported.ts";
import type { CacheLife } from "../../transcripts/live-reader.ts";
import type { ApiResponse } from "../../usage/api-response.ts";
import type { Catalogue } from "../../usage/catalogue.ts";
import { sentence } from "../../base/language.ts";
import { priceUsage } from "../../usage/price.ts";
import {
  type TokenUsage,
  occupancy,
  noUsage,
  cacheCreation,
  unknownFigure,
  type Figure,
} from "../../usage/token-counts.ts";

const listPrice = sentence("list price of each response");
const standardPrice = sentence("list price of each response, of the standard tier for those of another");

/** The cost of responses at list price. Unknown as soon as one has no price: a partial sum would mislead. */
export class CostSum {
  readonly #catalogue: Catalogue;
  #cost: Figure = { value: 0, provenance: "estimated", source: listPrice };

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  add(response: ApiResponse): void {
    this.#cost = this.with([response]);
  }

  /** Returns the cost including these responses, which are not added to it. */
  with(responses: Iterable<ApiResponse>): Figure {
    let { value: usd, source } = this.#cost;
    if (usd === null) return this.#cost;
    for (const response of responses) {
      const cost = priceUsage(response, this.#catalogue);
      if (cost.usd === null) return unknownFigure(sentence("no price is known for {0}", response.model));
      usd += cost.usd;
      if (cost.isStandardTier === true) source = standardPrice;
    }
    return { value: usd, provenance: "estimated", source };
  }
}

export interface NextCallInput {
  readonly carried: Figure;
  readonly last: ApiResponse | null;
  /** True when no response has come since the last compaction: the context it left was never sent. */
  readonly isCompacted: boolean;
  /** The agent last wrote to the cache for an hour, not for five minutes. */
  readonly cachesLong: boolean;
  readonly cacheLife: CacheLife | null;
  /** The cached context as the agent itself reported it at a time; null when it did not. */
  readonly reported: (PromptCache & { readonly at: number }) | null;
  readonly now: number;
  readonly catalogue: Catalogue;
}

export interface NextCall {
  readonly cost: Figure;
  /** Time at which the cached context expires, milliseconds since the epoch; null when nothing is cached. */
  readonly cacheExpiresAt: number | null;
}

/**
 * Computes the cost of the next call's context alone: reading it from the cache while that is warm, else
 * writing it again. The new prompt and the answer come on top. The agent's own figures for its cache are official;
 * without them the cost is an estimate.
 */
export function nextCall(input: NextCallInput): NextCall {
  const { carried, last, now, catalogue } = input;
  if (carried.value === null) return { cost: carried, cacheExpiresAt: null };
  if (last === null) return { cost: unknownFigure(sentence("no response yet")), cacheExpiresAt: null };
  const official = reportedCall(carried.value, last, input);
  if (official !== null) return official;
  const { state, expiresAt } = cacheOf(last, input);
  if (state === "unknown") return { cost: unknownFigure(cacheSources.unknown), cacheExpiresAt: null };
  const usage = nextUsage(carried.value, state, input);
  const terms = last.terms === undefined ? {} : { terms: { ...last.terms, webSearches: 0 } };
  const cost = priceUsage({ model: last.model, usage, at: now, ...terms }, catalogue);
  return {
    cost:
      cost.usd === null
        ? unknownFigure(sentence("no price is known for {0}", last.model))
        : { value: cost.usd, provenance: "estimated", source: cacheSources[state] },
    cacheExpiresAt: expiresAt,
  };
}

/** Null where the agent reported nothing about its cache since the last response. */
function reportedCall(
  carried: number,
  last: ApiResponse,
  { reported, isCompacted, now, catalogue }: NextCallInput,
): NextCall | null {
  if (reported === null || isCompacted || (last.at !== null && last.at > reported.at)) return null;
  const { isWarm, isLong, expiresAt, tokens } = reported;
  const isRead = isWarm && (expiresAt === null || now < expiresAt);
  // Content after the cached context, such as the last answer, is written for the first time.
  const written = isRead ? Math.max(0, carried - tokens) : Math.max(carried, tokens);
  const usage = {
    ...noUsage,
    cacheRead: isRead ? tokens : 0,
    ...(isLong ? { cacheCreation1h: written } : { cacheCreation5m: written }),
  };
  const { usd } = priceUsage({ model: last.model, usage, at: now }, catalogue);
  if (usd === null) return null;
  const source = isRead ? officialSources.warm : officialSources.expired;
  return { cost: { value: usd, provenance: "official", source }, cacheExpiresAt: isWarm ? expiresAt : null };
}

const officialSources = {
  warm: sentence("the agent's own figures for its cache: it is warm"),
  expired: sentence("the agent's own figures for its cache: it expired"),
} as const;

/** Short description of how the next call treats the context. */
export const cacheSources = {
  warm: sentence("context read from the cache"),
  expired: sentence("cache expired, whole context rewritten"),
  compacted: sentence("compacted context written"),
  uncached: sentence("context sent uncached"),
  unknown: sentence("how long this agent's provider caches a context is unknown"),
} as const;

export interface CacheState {
  readonly state: keyof typeof cacheSources;
  readonly expiresAt: number | null;
}

/** Every use of the cache restarts its lifetime. */
export function cacheOf(
  { usage, at }: ApiResponse,
  {
    isCompacted,
    cachesLong,
    cacheLife,
    now,
  }: Pick<NextCallInput, "isCompacted" | "cachesLong" | "cacheLife" | "now">,
): CacheState {
  if (cacheCreation(usage) === 0 && usage.cacheRead === 0) return { state: "uncached", expiresAt: null };
  if (cacheLife === null) return { state: "unknown", expiresAt: null };
  if (isCompacted) return { state: "compacted", expiresAt: null };
  const expiresAt = at === null ? null : at + (cachesLong ? cacheLife.long : cacheLife.short);
  return { state: expiresAt === null || now < expiresAt ? "warm" : "expired", expiresAt };
}

function nextUsage(tokens: number, state: CacheState["state"], { cachesLong }: NextCallInput): TokenUsage {
  if (state === "warm") return { ...noUsage, cacheRead: tokens };
  if (state === "uncached") return { ...noUsage, input: tokens };
  return cachesLong ? { ...noUsage, cacheCreation1h: tokens } : { ...noUsage, cacheCreation5m: tokens };
}

/** Share of the sent tokens that came from the cache, 0 to 1. */
export function cacheReadShare(usage: TokenUsage): Figure {
  const sent = occupancy(usage);
  if (sent === 0) return unknownFigure(sentence("no response yet"));
  return {
    value: usage.cacheRead / sent,
    provenance: "measured",
    source: sentence("token usage of every response"),
  };
}
