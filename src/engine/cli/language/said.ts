import { inWords, type Sentence } from "../../base/text/sentence.ts";
import { cleanText } from "../../base/text/text.ts";

/**
 * Shows a message of the engine or the service in a terminal: in the user's language, cleaned, on one line.
 */
export function said(sentence: Sentence): string {
  return cleanText(inWords(sentence));
}
