export {
  dash,
  dollars,
  estimatedNumber,
  minus,
  percent,
  shortNumber,
  signedNumber,
  wholeNumber,
} from "./text/format.ts";

const units: Readonly<Record<string, number>> = { "": 1, k: 1000, m: 1_000_000, g: 1_000_000_000 };

/**
 * Parses a number of tokens as people write it: `200000`, `200,000`, `200 000`, `200k`, `1.5M`. Undefined if
 * it is not a whole number.
 */
export function readTokenAmount(text: string): number | undefined {
  const [, digits = "", unit = ""] =
    /^(\d[\d,_ ]*(?:\.\d+ *)?)(?:[^\S ]\s*)?([kmg]?)$/iu.exec(text.trim()) ?? [];
  if (digits === "") return undefined;
  const exact = Number(digits.replaceAll(/[,_ ]/gu, "")) * (units[unit.toLowerCase()] ?? 1);
  const tokens = Math.round(exact);
  // The product of a fraction and a unit may be off by a rounding error.
  return Number.isSafeInteger(tokens) && Math.abs(exact - tokens) < 1e-6 ? tokens : undefined;
}

/** Characters per token of plain English, assumed without data from the ledger. */
export const usualCharacters = 4;
/** Minimum number of requests for an estimate of the length of tokens. */
const minRequests = 10;
/**
 * Minimum and maximum for any text. A request with only partly known content, such as one with pictures,
 * would exceed them. Characters per token.
 */
const [minCharacters, maxCharacters] = [0.6 * usualCharacters, 1.8 * usualCharacters];

/** Converts characters to tokens where no tokenizer counts them. */
export interface CharacterScale {
  readonly charactersPerToken: number;
  /** Requests that it comes from; 0 where it is assumed. */
  readonly requests: number;
}

/**
 * The only estimate of characters per token: the median of the requests, within bounds.
 *
 * @param requests characters per token of each of the ledger's newest requests
 */
export function characterScale(requests: readonly number[]): CharacterScale {
  const sorted = requests
    .filter((each) => Number.isFinite(each) && each > 0)
    .toSorted((one, other) => one - other);
  const median = sorted[Math.floor((sorted.length - 1) / 2)];
  if (median === undefined || sorted.length < minRequests)
    return { charactersPerToken: usualCharacters, requests: 0 };
  return {
    charactersPerToken: Math.min(maxCharacters, Math.max(minCharacters, median)),
    requests: sorted.length,
  };
}

/** Estimates the tokens of a number of characters, or of bytes of plain text. */
export function tokensOfCharacters(characters: number, { charactersPerToken }: CharacterScale): number {
  return Math.round(characters / charactersPerToken);
}
