import { estimateTokenCount } from "tokenx";
import { median } from "../base/numbers.ts";
import { usualCharacters, characterScale, wholeNumber } from "../base/format.ts";
import { sentence, type Sentence } from "../base/language.ts";

export { compileMemory } from "./memory-text.ts";

/** All are measured or estimated; none is official. */
export interface RentBasis {
  /** Characters per token in each of the ledger's newest requests; calibrates the estimate. */
  readonly charactersPerToken: readonly number[];
  /**
   * Tokens of the agent's system prompt and memory, which are written to the prompt cache again when a rule
   * changes.
   */
  readonly prefixTokens: number;
  /**
   * Tokens that its conversations found in the cache at their start, which is the maximum loss. Empty if
   * unknown.
   */
  readonly cachedAtStart: readonly number[];
  readonly conversationsPerChange: number;
}

/** Tokens per conversation. */
export interface Rent {
  readonly own: number;
  /** Its share of the cache writes after a changed memory. */
  readonly prefix: number;
  readonly total: number;
  readonly provenance: "estimated";
  readonly because: Sentence;
}

/** A rule must save this many times its rent. */
export const rentFactor = 2;

/** Assumed number of conversations per memory change, where an agent's use is unknown. */
export const usualConversations = 20;

export function rentOf(text: string, basis: RentBasis): Rent {
  const scale = scaleOf(basis.charactersPerToken);
  const own = Math.max(1, Math.round(tokensOf(`- ${text}\n`) * (scale ?? 1)));
  const { cachedAtStart, prefixTokens } = basis;
  const lost = cachedAtStart.length === 0 ? prefixTokens : Math.min(prefixTokens, median(cachedAtStart));
  const prefix = Math.round(lost / Math.max(1, basis.conversationsPerChange));
  const how = howCounted(scale, basis.charactersPerToken);
  const because = sentence(
    "estimated: {how}; {lost} tokens of prompt cache are written again once in {conversations} conversations",
    { how: how, lost: wholeNumber(lost), conversations: wholeNumber(basis.conversationsPerChange) },
  );
  return { own, prefix, total: own + prefix, provenance: "estimated", because };
}

/** Estimates the tokens of any text as rent does; `how` explains it in words. */
export function estimatedTokens(
  text: string,
  charactersPerToken: RentBasis["charactersPerToken"],
): { readonly tokens: number; readonly how: Sentence } {
  const scale = scaleOf(charactersPerToken);
  return { tokens: Math.round(tokensOf(text) * (scale ?? 1)), how: howCounted(scale, charactersPerToken) };
}

export function tokensOf(text: string): number {
  return estimateTokenCount(text);
}

function howCounted(scale: number | null, charactersPerToken: readonly number[]): Sentence {
  return scale === null
    ? sentence("counted by words")
    : sentence("counted by words, and calibrated with {0} requests of the ledger", charactersPerToken.length);
}

function scaleOf(charactersPerToken: readonly number[]): number | null {
  const scale = characterScale(charactersPerToken);
  return scale.requests === 0 ? null : usualCharacters / scale.charactersPerToken;
}
