import type { Effort } from "../../effort.ts";
import type { Argument } from "../invocation.ts";

/** A name other than an outside path, a pattern, an option or a hidden file. */
const plainName = /^[A-Za-z0-9_][\w.@+-]*(?:\/[A-Za-z0-9_][\w.@+-]*)*$/u;
/** Counters: `build-107`, `page12`, `3`. Longer numbers alone may be modes or process ids. */
const counter = /(?<=[A-Za-z_.-])\d+|(?<!\d)\d{1,2}(?!\d)/gu;
/** Names with a number that is not a counter: keys, devices and libraries. */
const numbered = /ed25519|^(?:lib|sd|hd|vd|nvme|p12|key4|id_)/u;

/**
 * Returns the words that represent a long list: first paths, patterns and other special words, then plain names. One name represents
 * all that differ only in a counter.
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

/** Returns a list, or if it is too long its typical words up to a maximum. */
export function wordsWithin(
  words: readonly Argument[],
  max: { readonly whole: number; readonly typical: number },
  effort: Effort,
): readonly Argument[] {
  if (words.length <= max.whole) return words;
  if (!effort.take(words.length)) return words.slice(0, max.whole);
  const typical = typicalWords(words);
  if (typical.length > max.typical) effort.leaveOut();
  return typical.slice(0, max.typical);
}
