/** Between two characters of a script without spaces, where the editor breaks a line anywhere. */
const joint =
  /(?<=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー])(?=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー])/gu;

/** Keeps words whole where no spaces divide them, as in Japanese. */
export function wholeWords(text: string): string {
  return text.replaceAll(joint, "\u2060");
}

/** Keeps a text on one line, such as a figure or a heading; only what stands beside it wraps. */
export function unbroken(text: string): string {
  return wholeWords(text.replaceAll(" ", "\u00a0"));
}
