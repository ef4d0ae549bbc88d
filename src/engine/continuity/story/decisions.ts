import { askedText, firstWords } from "./prompt-text.ts";

/** Words by which people set a rule for the work, or choose between ways. */
const english =
  /\b(?:always|never|must(?:n['’]t| not)?|do(?:n['’]t| not)|should(?:n['’]t| not)?|may not|cannot be|only use|use only|instead of|rather than|prefer(?:ably)?|avoid|stick (?:to|with)|keep using|make sure|no need (?:to|for)|without (?:using|changing|touching|breaking)|from now on|in future|remember (?:to|that)|as agreed|we (?:decided|agreed|use|want|don['’]t)|let['’]s (?:use|go with|keep|not|stay)|has to|have to (?:be|stay)|required to|not allowed)\b/iu;
/** German, French and Spanish: short words, some of which are English ones too. */
const western = [
  /\b(?:immer|niemals|nie|nicht|kein(?:e|en)?|statt(?:dessen)?|lieber|muss|müssen|soll(?:en|te)?|nur|bitte ohne|wir (?:nutzen|verwenden|wollen))\b/iu,
  /\b(?:toujours|jamais|ne (?:pas|jamais)|plutôt|au lieu de|évite[zr]?|il faut|siempre|nunca|en lugar de|en vez de|evita|hay que|debe)\b/iu,
];
/** Japanese and Chinese. */
const eastern =
  /(?:必ず|常に|決して|しないで|ではなく|使わない|代わりに|べき|禁止|总是|必须|不要|不能|而不是|避免|应该|只用)/u;
const englishWord = /\b(?:the|and|is|are|it|this|that|to|of)\b/iu;
/** Sentences that ask for something or report an error, rather than decide. */
const asking = /\?\s*$/u;
/** Shorter sentences mean nothing alone; longer ones are pasted text. Characters. */
const [minSentenceLength, maxSentenceLength] = [8, 300];
/** Maximum decisions taken from one prompt: a prompt with many rules is a document. */
const maxDecisionsPerPrompt = 6;

/** Returns the sentences of a prompt that decide or forbid something, in its words. */
export function decisionsIn(prompt: string): string[] {
  const text = askedText(prompt);
  if (text === null) return [];
  const sentences = ownProse(text).split(/(?<=[.!?。！？])\s+|\n+|(?<=[。！？])/u);
  const found = sentences
    .map((sentence) => sentence.replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s+/u, "").trim())
    .filter(
      (each) => each.length >= minSentenceLength && each.length <= maxSentenceLength && !asking.test(each),
    )
    .filter((each) => decides(each))
    .map((each) => firstWords(each, maxSentenceLength))
    .filter((each) => each.length > 0);
  return [...new Set(found)].slice(0, maxDecisionsPerPrompt);
}

function decides(sentence: string): boolean {
  if (english.test(sentence) || eastern.test(sentence)) return true;
  return !englishWord.test(sentence) && western.some((pattern) => pattern.test(sentence));
}

/** A text without code and without quotations, which are other people's words. */
export function ownProse(text: string): string {
  return text.replaceAll(/```[\s\S]*?(?:```|$)/gu, "\n").replaceAll(/^(?: {4}| {0,3}[\t>]).*/gmu, "");
}
