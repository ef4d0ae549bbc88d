/**
 * Encloses a text that may run from right to left in an isolate (U+2068 … U+2069), so that it does not
 * reorder the text beside it in a row. Any other text is returned as it is. Cleaned text contains no marks
 * that could end the isolate.
 */
export function isolated(text: string): string {
  return rightToLeft.test(text) ? `\u2068${text}\u2069` : text;
}

/** The blocks of Unicode with letters that run from right to left. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
