import { wholeNumber } from "../../base/format.ts";
import { sentence, type Sentence } from "../../base/language.ts";
import { median } from "../../base/numbers.ts";
import type { Catalogue } from "../../usage/catalogue.ts";
import { priceUsage } from "../../usage/price.ts";
import {
  cacheCreation,
  noUsage,
  unknownFigure,
  type Figure,
  type TokenUsage,
} from "../../usage/token-counts.ts";
import { pricedTurns } from "../advice.ts";
import type { Chain } from "./chain.ts";

/** Tokens of a handover document and of the prompt that names it. */
const handoverTokens = 2000;
/** Answers that determine the usual length of one. */
const answersLookedAt = 20;
/** Maximum standard error of a price, as a share of it. Chosen with `npm run bench -- price`. */
const maxDoubt = 0.16;

/** Prices of the next turns, at list prices. USD. */
export interface PriceOfGoingOn {
  /** The next call once the cache has expired. */
  readonly coldCall: Figure;
  /** Ten more turns in this session, with a warm cache. */
  readonly here: Figure;
  /** The same turns in a new session that begins with a handover. */
  readonly fresh: Figure;
}

export interface PriceOfGoingOnInput {
  /** Tokens the next request carries. */
  readonly carried: Figure;
  /** Size at which the context is compacted. Tokens. */
  readonly threshold: Figure;
  /** False where nobody knows how long the provider caches, or nothing of the cache is recorded. */
  readonly isCacheKnown: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly catalogue: Catalogue;
}

/**
 * Estimates what ten more turns cost here and in a new session. Each turn reads the context from the cache, writes
 * what it grew by, and has an answer of the usual length. A context that would be compacted starts again at the size of
 * the session's first call. Unknown where the growth varies so much, or the cache expired so often, that the price would
 * often be wrong.
 */
export function priceOfGoingOn(chain: Chain, input: PriceOfGoingOnInput): PriceOfGoingOn {
  const unknown = (why: Sentence) => unknownFigure(why);
  const { last } = chain;
  const carried = input.carried.value;
  if (last === null || carried === null) {
    const none = unknown(carried === null ? input.carried.source : sentence("no response yet"));
    return { coldCall: none, here: none, fresh: none };
  }
  const price = (usage: TokenUsage): number | null => {
    const terms = last.terms === undefined ? {} : { terms: { ...last.terms, webSearches: 0 } };
    return priceUsage({ model: last.model, usage, at: input.now, ...terms }, input.catalogue).usd;
  };
  const priced = (usd: number | null, source: Sentence): Figure =>
    usd === null
      ? unknown(sentence("no price is known for {0}", last.model))
      : { value: usd, provenance: "estimated", source };
  const coldCall = input.isCacheKnown
    ? priced(price(writing(chain, carried)), sentence("the whole context, written to the cache again"))
    : unknown(sentence("how long this agent's provider caches a context is unknown"));
  const growth = chain.growth();
  const perTurn = growth.perTurn.value;
  if (perTurn === null)
    return { coldCall, here: unknown(growth.perTurn.source), fresh: unknown(growth.perTurn.source) };
  const answer = median(chain.answers.slice(-answersLookedAt));
  const turn = (context: number, grown: number) =>
    price({ ...writing(chain, grown), cacheRead: context, output: answer });
  const limit = input.threshold.value ?? Infinity;
  const restart = chain.firstContext ?? 0;
  const turnsFrom = (begin: number): number | null => {
    let sum = 0;
    let context = begin;
    for (let count = 0; count < pricedTurns; count++) {
      const usd = turn(context, Math.max(0, perTurn));
      if (usd === null) return null;
      sum += usd;
      context += Math.max(0, perTurn);
      if (context > limit) context = restart;
    }
    return sum;
  };
  const [here, begun] = [turnsFrom(carried), turnsFrom(restart + handoverTokens)];
  const grown = price(writing(chain, pricedTurns * Math.max(0, perTurn)));
  const byGrowth =
    growth.variation * (1 / pricedTurns + 1 / growth.turns) * ((grown ?? 0) / (here ?? 1)) ** 2;
  const rewritten = (coldCall.value ?? 0) / (here ?? 1);
  const byPauses = pricedTurns * (chain.coldSteps / Math.max(1, chain.stepCount)) * rewritten ** 2;
  if (!(Math.sqrt(byGrowth + byPauses) <= maxDoubt)) {
    const uneven = unknown(sentence("the last turns differ too much"));
    return { coldCall, here: uneven, fresh: uneven };
  }
  const first = price(writing(chain, restart + handoverTokens));
  const source = sentence(
    "{0} turns that grow by ~{1} tokens, with a warm cache",
    pricedTurns,
    wholeNumber(perTurn),
  );
  return {
    coldCall,
    here: priced(here, source),
    fresh: priced(begun === null || first === null ? null : begun + first, source),
  };
}

/** How this agent sends tokens that are not cached yet. */
function writing({ last, cachesLong }: Chain, tokens: number): TokenUsage {
  if (last === null || cacheCreation(last.usage) === 0) return { ...noUsage, input: tokens };
  return cachesLong ? { ...noUsage, cacheCreation1h: tokens } : { ...noUsage, cacheCreation5m: tokens };
}
