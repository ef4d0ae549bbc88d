import { cleanText } from "../base/text/text.ts";

/** Outside text as a message shows it: on one line, short, and harmless. */
export function quotedWord(text: string): string {
  const clean = cleanText(text);
  return JSON.stringify(clean.length > 60 ? `${clean.slice(0, 60)}…` : clean);
}
