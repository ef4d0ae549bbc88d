import { inWords, type Sentence } from "../../base/language.ts";
import { cleanText } from "../../base/text.ts";

/**
 * Shows a message of the engine or the service in a terminal: in the user's language, cleaned, on one line.
 */
export function said(sentence: Sentence): string {
  return cleanText(inWords(sentence));
}
