import { inWords, type Sentence } from "../base/language.ts";
import { cleanText } from "../base/text.ts";

/** Formats a sentence for a terminal: translated, cleaned, on one line. */
export function asLine(sentence: Sentence): string {
  return cleanText(inWords(sentence));
}
