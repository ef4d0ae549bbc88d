/** The id of a kept output: a digit, then letters and digits that are not taken for each other. Never a path, nor a word. */
const form = /^[2-9][a-z2-7]{5}$/u;
const letters = "abcdefghijklmnopqrstuvwxyz234567";
const digits = "23456789";

export function isKeptId(text: string): boolean {
  return form.test(text);
}

/** @param random returns a whole number from 0 up to, not including, a limit */
export function newKeptId(random: (limit: number) => number): string {
  const tail = Array.from({ length: 5 }, () => letters.charAt(random(letters.length)));
  return digits.charAt(random(digits.length)) + tail.join("");
}

/** Whether a text may name a kept output at all: a quick test before a command line is read. */
export function mayNameKept(text: string): boolean {
  return /\boutputs?\b/u.test(text) && /\b[2-9][a-z2-7]{5}\b/u.test(text);
}
