/** What the price of a response depends on besides its model, its tokens and its day, as the API reports it. */
export interface PriceTerms {
  /** Served at the premium speed. */
  readonly isFast: boolean;
  /** Computed only in the United States, at a higher price. */
  readonly isUsOnly: boolean;
  /** Sent as a batch, at half the price. */
  readonly isBatch: boolean;
  /** Searches of the web, each of which has a price of its own. Fetching pages is free. */
  readonly webSearches: number;
}

/** Terms that change no price. */
export const standardTerms: PriceTerms = { isFast: false, isUsOnly: false, isBatch: false, webSearches: 0 };

/** Terms as one whole number, 0 for the standard: the form in which the scan's tables hold them. */
export function codeOfTerms({ isFast, isUsOnly, isBatch, webSearches }: PriceTerms = standardTerms): number {
  return webSearches * 8 + Number(isFast) + Number(isUsOnly) * 2 + Number(isBatch) * 4;
}

/** The terms with this code; undefined for the standard. */
export function termsOfCode(code: number): PriceTerms | undefined {
  if (code === 0) return undefined;
  return {
    isFast: (code & 1) !== 0,
    isUsOnly: (code & 2) !== 0,
    isBatch: (code & 4) !== 0,
    webSearches: Math.floor(code / 8),
  };
}

/** Terms in words, such as `fast us 2 searches`, as the ledger holds them; null for the standard. */
export function textOfTerms({ isFast, isUsOnly, isBatch, webSearches }: PriceTerms = standardTerms):
  string | null {
  const words = [
    ...(isFast ? ["fast"] : []),
    ...(isUsOnly ? ["us"] : []),
    ...(isBatch ? ["batch"] : []),
    ...(webSearches > 0 ? [`${webSearches} searches`] : []),
  ];
  return words.length === 0 ? null : words.join(" ");
}

export function termsOfText(text: string | null): PriceTerms | undefined {
  if (text === null) return undefined;
  const words = text.split(" ");
  return {
    isFast: words.includes("fast"),
    isUsOnly: words.includes("us"),
    isBatch: words.includes("batch"),
    webSearches: Number(/(?<count>\d+) searches/u.exec(text)?.groups?.["count"] ?? 0),
  };
}
