import { inLanguage } from "../../base/text/in-language.ts";
import { cleanText } from "../../base/text/text.ts";

/**
 * Shows a message of the engine or the service in a terminal: in the user's language, cleaned, on one line.
 */
export function said(text: string): string {
  return cleanText(inLanguage(text));
}
