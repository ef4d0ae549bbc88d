import { median } from "../base/numbers.ts";
import { type Sentence, sentence, plural } from "../base/language.ts";
import { wholeNumber } from "../base/format.ts";
import { contextOf } from "../usage/api-response.ts";
import type { PricedUsage } from "../usage/price.ts";
import { cacheCreation, noUsage } from "../usage/token-counts.ts";
import type { Chain } from "./live/chain.ts";
import { cacheOf, cacheSources } from "./live/cost.ts";

/** Tokens the next call of a conversation will process. */
export interface NextCallTokens {
  /** Processing tokens: input not read from the cache, plus the answer. */
  readonly tokens: number;
  /** The same by kind, with the cache reads, and the model that gets it; null where only the tokens are known. */
  readonly priced: Pick<PricedUsage, "model" | "usage" | "terms"> | null;
  /** Short description of the context's cache state and of the answer's estimated length. */
  readonly source: Sentence;
}

/** Number of latest answers that determine the estimated length of the next one. */
const answersLookedAt = 20;

/**
 * Estimates the tokens that the next call will process, from the conversation itself: with a warm cache only those
 * since the last request, else the whole context again; plus an answer of the usual length. Null before the first
 * response.
 *
 * @param added tokens the call sends beyond the transcript: a prompt, tool results
 * @param now milliseconds since the epoch
 */
export function nextCallTokens(
  chain: Chain,
  { added, now }: { added: number; now: number },
): NextCallTokens | null {
  const { last, unansweredCompaction: fresh, cachesLong, cacheLife } = chain;
  const carried = chain.carried();
  if (last === null || carried === null) return null;
  const { state } = cacheOf(last, { isCompacted: fresh !== null, cachesLong, cacheLife, now });
  // A running conversation is likely to find its context cached.
  const isCached = state === "warm" || state === "unknown";
  // The last request's input is in the cache by now; its answer is not.
  const uncached = isCached ? Math.max(0, carried - contextOf(last)) : carried;
  const answer = Math.round(median(chain.answers.slice(-answersLookedAt)));
  const values = { cache: cacheSources[isCached ? "warm" : state], answer: wholeNumber(answer) };
  const source = isCached
    ? sentence("{cache}, answers of {answer}", values)
    : sentence("{cache}: {carried}, answers of {answer}", { ...values, carried: wholeNumber(carried) });
  const sent = uncached + added;
  const written =
    cacheCreation(last.usage) === 0
      ? { input: sent }
      : cachesLong
        ? { cacheCreation1h: sent }
        : { cacheCreation5m: sent };
  const read = isCached ? carried - uncached : 0;
  const usage = { ...noUsage, ...written, cacheRead: read, output: answer };
  const terms = last.terms === undefined ? {} : { terms: { ...last.terms, webSearches: 0 } };
  return { tokens: sent + answer, priced: { model: last.model, usage, ...terms }, source };
}

/**
 * Estimates the tokens that the first call of a new conversation will process: as many as the first calls of other
 * conversations with the same agent instructions and tools. Null without other conversations.
 */
export function firstCallTokens(others: Iterable<Chain>, added: number): NextCallTokens | null {
  const firsts: number[] = [];
  for (const { turns, occupancies, compactions } of others) {
    const [first] = occupancies;
    if (first !== undefined && turns === occupancies.length && compactions.length === 0) firsts.push(first);
  }
  if (firsts.length === 0) return null;
  const tokens = Math.round(median(firsts));
  const source = plural(
    firsts.length,
    sentence("as the first call of another session: {0}", wholeNumber(tokens)),
    sentence("as the first call of {0} other sessions: {1}", firsts.length, wholeNumber(tokens)),
  );
  return { tokens: tokens + added, priced: null, source };
}
