import { language } from "../../../engine/base/text/l10n.ts";

/** A name within a sentence. In German it keeps its capital: most are nouns. */
export function inSentence(name: string): string {
  return language().startsWith("de") ? name : name.toLowerCase();
}
