import { cleanText } from "../base/text.ts";

/** Quotes untrusted text for a message: on one line, short, and harmless. */
export function quotedWord(text: string): string {
  const clean = cleanText(text);
  return JSON.stringify(clean.length > 60 ? `${clean.slice(0, 60)}…` : clean);
}
