/**
 * Outside text is data: before it is shown it loses everything that could move a cursor, hide or reorder what is read:
 * ANSI escapes, C0 and C1 controls, zero-width and bidirectional marks, line separators, lone surrogates, U+FFFD and BOM.
 * White space, line breaks included, becomes one space.
 */
export function cleanText(text: string): string {
  return text
    .replace(ansiEscape, "")
    .replace(/[\s\u2028\u2029]+/gu, " ")
    .replace(unprintable, "")
    .trim();
}

// CSI, OSC (ended by BEL or ST) and two-byte escapes, in their 7-bit and 8-bit forms.
const ansiEscape = new RegExp(
  [
    String.raw`(?:\u001b\]|\u009d)[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)`,
    String.raw`(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]`,
    String.raw`\u001b[ -/]*[0-~]`,
  ].join("|"),
  "gu",
);
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\uFFFD]/gu;

/** Shortens to at most `length` visible characters by cutting out the middle, where paths and titles tell least. */
export function cutMiddle(text: string, length: number): string {
  const characters = Array.from(graphemes.segment(text), ({ segment }) => segment);
  if (characters.length <= length) return text;
  const tail = Math.floor((length - 1) / 2);
  return `${characters.slice(0, length - 1 - tail).join("")}…${characters.slice(characters.length - tail).join("")}`;
}

const graphemes = new Intl.Segmenter();
