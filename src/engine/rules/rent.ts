import { estimateTokenCount } from "tokenx";
import { wholeNumber } from "../base/text/format.ts";

/** What rent is reckoned with. Everything here is measured or estimated; nothing is official. */
export interface RentBasis {
  /** Characters of one token, in each of the newest requests the ledger knows: it calibrates the estimate. */
  readonly charactersPerToken: readonly number[];
  /** Tokens of the agent's own system prompt and its memory, which are written to the prompt cache again when a rule changes. */
  readonly prefixTokens: number;
  /** Tokens its conversations found in the cache as they began: no more than that can be lost. Empty where nobody knows. */
  readonly cachedAtStart: readonly number[];
  /** How many conversations there are between two changes of its memory. */
  readonly conversationsPerChange: number;
}

/** Tokens a conversation. */
export interface Rent {
  /** The rule's own. */
  readonly own: number;
  /** Its part of what a changed memory makes the prompt cache write again. */
  readonly prefix: number;
  readonly total: number;
  readonly provenance: "estimated";
  /** How, in words. */
  readonly because: string;
}

/** A rule must save so many times its rent. */
export const rentFactor = 2;

/** What a token of plain English is taken for where the ledger knows nothing. Characters. */
const usualCharacters = 4;
/** Fewer requests than this calibrate nothing; and whatever they say, no text is twice another's. */
const [fewestRequests, smallestScale, largestScale] = [10, 0.6, 1.8];
/** Where nobody knows how often an agent is asked. */
export const usualConversations = 20;

export function rentOf(text: string, basis: RentBasis): Rent {
  const scale = scaleOf(basis.charactersPerToken);
  const own = Math.max(1, Math.round(tokensOf(`- ${text}\n`) * (scale ?? 1)));
  const cached = median(basis.cachedAtStart);
  const lost = cached === null ? basis.prefixTokens : Math.min(basis.prefixTokens, cached);
  const prefix = Math.round(lost / Math.max(1, basis.conversationsPerChange));
  const how = howCounted(scale, basis.charactersPerToken);
  const because =
    `estimated: ${how}; ${wholeNumber(lost)} tokens of prompt cache are written again ` +
    `once in ${wholeNumber(basis.conversationsPerChange)} conversations`;
  return { own, prefix, total: own + prefix, provenance: "estimated", because };
}

/** Tokens of any text, estimated as rent is, and how, in words. */
export function estimatedTokens(
  text: string,
  charactersPerToken: RentBasis["charactersPerToken"],
): { readonly tokens: number; readonly how: string } {
  const scale = scaleOf(charactersPerToken);
  return { tokens: Math.round(tokensOf(text) * (scale ?? 1)), how: howCounted(scale, charactersPerToken) };
}

/** Tokens of a text, estimated without knowing the model. */
export function tokensOf(text: string): number {
  return estimateTokenCount(text);
}

function howCounted(scale: number | null, charactersPerToken: readonly number[]): string {
  return scale === null
    ? "counted by words"
    : `counted by words, and calibrated with ${charactersPerToken.length} requests of the ledger`;
}

function scaleOf(charactersPerToken: readonly number[]): number | null {
  const characters = charactersPerToken.length < fewestRequests ? null : median(charactersPerToken);
  if (characters === null || characters <= 0) return null;
  return Math.min(largestScale, Math.max(smallestScale, usualCharacters / characters));
}

function median(numbers: readonly number[]): number | null {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}
