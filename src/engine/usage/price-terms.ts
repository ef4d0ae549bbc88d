/** The terms behind the price of a response besides its model, tokens and day, as the API or the agent reports them. */
export interface PriceTerms {
  /** Served at the premium speed. */
  readonly isFast: boolean;
  /** Computed only in the United States, at a higher price. */
  readonly isUsOnly: boolean;
  /** Sent as a batch or as flexible, at half the price. */
  readonly isBatch: boolean;
  /** Served in a tier without a list price: the price of the standard tier is used. */
  readonly isOtherTier: boolean;
  /** Searches of the web, each with a price of its own. Fetching pages is free. */
  readonly webSearches: number;
}

/** Terms that change no price. */
export const standardTerms: PriceTerms = {
  isFast: false,
  isUsOnly: false,
  isBatch: false,
  isOtherTier: false,
  webSearches: 0,
};

/** The terms that are true or false, each with its word in the ledger. Their order is that of the bits. */
const flags = [
  ["isFast", "fast"],
  ["isUsOnly", "us"],
  ["isBatch", "batch"],
  ["isOtherTier", "other-tier"],
] as const;
const searchesUnit = 2 ** flags.length;

/** Terms as one whole number, 0 for the standard: their form in the scan's tables. */
export function codeOfTerms(terms?: PriceTerms): number {
  // Nearly all responses: the scan asks a hundred thousand times.
  if (terms === undefined) return 0;
  const bits = flags.reduce((sum, [flag], bit) => sum + Number(terms[flag]) * 2 ** bit, 0);
  return terms.webSearches * searchesUnit + bits;
}

/** The terms with this code; undefined for the standard. */
export function termsOfCode(code: number): PriceTerms | undefined {
  if (code === 0) return undefined;
  return {
    isFast: (code & 1) !== 0,
    isUsOnly: (code & 2) !== 0,
    isBatch: (code & 4) !== 0,
    isOtherTier: (code & 8) !== 0,
    webSearches: Math.floor(code / searchesUnit),
  };
}

/** The terms, or undefined where they are the standard ones. */
export function unlessStandard(terms: PriceTerms): PriceTerms | undefined {
  return codeOfTerms(terms) === 0 ? undefined : terms;
}

/** Terms in words, such as `fast us 2 searches`, as stored in the ledger; null for the standard. */
export function textOfTerms(terms: PriceTerms = standardTerms): string | null {
  const { webSearches } = terms;
  const words = [
    ...flags.flatMap(([flag, word]) => (terms[flag] ? [word] : [])),
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
    isOtherTier: words.includes("other-tier"),
    webSearches: Number(/(?<!\d)(?<count>\d+) searches/u.exec(text)?.groups?.["count"] ?? 0),
  };
}
