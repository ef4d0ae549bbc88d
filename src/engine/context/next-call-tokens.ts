import { wholeNumber } from "../base/text/format.ts";
import { occupancy } from "../usage/token-counts.ts";
import type { Chain } from "./sessions/chain.ts";
import { cacheOf, cacheSources } from "./sessions/cost.ts";

/** What the next call of a conversation will process. */
export interface NextCallTokens {
  /** Processing tokens: what is not read from the cache, and the answer. */
  readonly tokens: number;
  /** What of it is known of the context, and what of the answer is learned, in a few plain words. */
  readonly source: string;
}

/** Answers that say how long the next one will be. */
const answersLookedAt = 20;

/**
 * What the next call will process, from the conversation itself: with a warm cache only what came since the last request, else the
 * whole context anew; and an answer as the last ones were. Null before the first response.
 *
 * @param added tokens that the call carries beyond what the transcript tells: a prompt, results of tools
 * @param now milliseconds since the epoch
 */
export function nextCallTokens(
  chain: Chain,
  { added, now }: { added: number; now: number },
): NextCallTokens | null {
  const { last, fresh, cachesLong } = chain;
  const carried = chain.carried();
  if (last === null || carried === null) return null;
  const { state } = cacheOf(last, { isCompacted: fresh !== null, cachesLong, now });
  // What the last request carried is in the cache by now; its answer is not.
  const uncached = state === "warm" ? Math.max(0, carried - occupancy(last.usage)) : carried;
  const answer = medianOf(chain.answers.slice(-answersLookedAt));
  const parts = [
    ...(state === "warm" ? [cacheSources.warm] : [`${cacheSources[state]}: ${wholeNumber(carried)}`]),
    `answers of ${wholeNumber(answer)}`,
  ];
  return { tokens: uncached + added + answer, source: parts.join(", ") };
}

/**
 * What the first call of a new conversation will process: as much as the first calls of others carried, whose agent's instructions and
 * tools are the same. Null where there are none.
 */
export function firstCallTokens(others: Iterable<Chain>, added: number): NextCallTokens | null {
  const firsts: number[] = [];
  for (const { turns, occupancies, compactions } of others) {
    const [first] = occupancies;
    if (first !== undefined && turns === occupancies.length && compactions.length === 0) firsts.push(first);
  }
  if (firsts.length === 0) return null;
  const tokens = medianOf(firsts);
  const whose = firsts.length === 1 ? "another session" : `${firsts.length} other sessions`;
  return { tokens: tokens + added, source: `as the first call of ${whose}: ${wholeNumber(tokens)}` };
}

/** The lower of two in the middle; 0 of none. */
function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor((numbers.length - 1) / 2)] ?? 0;
}
