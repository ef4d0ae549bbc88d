/** A letter of a script that does not put spaces between words counts as a word. */
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{M}\p{N}])+/gu;

/** Words of which the lack changes no meaning. Negations, and words that forbid or limit, are none of them. */
const empty = new Set(
  "a an the and or of to in on at by for with from as is are was were be been being it its this that these those we i you he she they them our your my us do does did done has have had will would can could may might shall so then than there here also just please let lets be into onto over via per about after before while when".split(
    " ",
  ),
);

/** Short forms of a negation. */
const negations = /^(?:do|does|did|is|are|was|were|has|have|had|wo|ca|could|should|would|must|need)nt$/u;

/** Reads the words of a text in order, in a form in which the same word in another spelling or ending is the same. */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/(?<=\p{L})['’](?=\p{L})/gu, "");
  return Array.from(plain.matchAll(word), ([each]) => stemOf(each));
}

/** Returns the words that carry a text's meaning, each once; all of them where none does. */
export function tellingWords(text: string): string[] {
  const all = wordsOf(text);
  const telling = all.filter((each) => !empty.has(each));
  return [...new Set(telling.length === 0 ? all : telling)];
}

/** Cuts an ending of English words, so that `tested` and `tests` are one. Shorter words stay as they are. */
function stemOf(each: string): string {
  if (negations.test(each) || each === "cannot" || each === "cant") return "not";
  if (each.length <= 4 || !/^[a-z]+$/u.test(each)) return each;
  return each.replace(/(?:ings?|edly|ed|es|s|e)$/u, "");
}
