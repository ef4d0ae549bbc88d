import type { Effort } from "../../effort.ts";
import type { Argument } from "../invocation.ts";

/** A name that is no path from elsewhere, no pattern, no option and no hidden file. */
const plainName = /^[A-Za-z0-9_][\w.@+-]*(?:\/[A-Za-z0-9_][\w.@+-]*)*$/u;
/** Numbers that count: `build-107`, `page12`, `3`. Longer ones alone may be modes or process ids, and are left as they are. */
const counter = /(?<=[A-Za-z_.-])\d+|(?<!\d)\d{1,2}(?!\d)/gu;
/** Names in which a number is no counter: keys, devices and libraries. */
const numbered = /ed25519|^(?:lib|sd|hd|vd|nvme|p12|key4|id_)/u;

/**
 * Returns the words that stand for all of a long list: paths, patterns and whatever else is no plain name come first, then plain names.
 * Of names that differ in a counter alone, one stands for all.
 */
export function typicalWords(words: readonly Argument[]): readonly Argument[] {
  const special = new Map<string, Argument>();
  const plain = new Map<string, Argument>();
  for (const word of words) {
    const { text } = word;
    if (!plainName.test(text) || word.isPattern || word.from.length > 0)
      special.set(`${text} ${word.isPattern} ${word.from.join(" ")}`, word);
    else {
      const kind = numbered.test(text) ? text : text.replaceAll(counter, "1");
      if (!plain.has(kind)) plain.set(kind, word);
    }
  }
  return [...special.values(), ...plain.values()];
}

/** Returns the typical words of a list that is longer than a bound, at most as many as that. */
export function wordsWithin(
  words: readonly Argument[],
  most: { readonly whole: number; readonly typical: number },
  effort: Effort,
): readonly Argument[] {
  if (words.length <= most.whole) return words;
  if (!effort.take(words.length)) return words.slice(0, most.whole);
  const typical = typicalWords(words);
  if (typical.length > most.typical) effort.leaveOut();
  return typical.slice(0, most.typical);
}
