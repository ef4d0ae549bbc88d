/**
 * Cleans untrusted text for display: removes everything that could move a cursor, or hide or reorder text: ANSI escapes,
 * C0 and C1 controls, zero-width, filler and bidirectional marks, variation selectors, lone surrogates, private use,
 * U+FFFD and BOM. White space, line breaks included, becomes one space. Cleaning twice changes nothing.
 */
export function cleanText(text: string): string {
  return text.replace(ansiEscape, "").replace(unprintable, "").replace(whiteSpace, " ").trim();
}

/**
 * The name in a project that is only on other machines, see `sharedProject`; null for a folder.
 */
export function foreignProjectName(project: string): string | null {
  return /^(.+)#[0-9a-f]{16}$/u.exec(project)?.[1] ?? null;
}

/** Cleans as `cleanText` does, but keeps line breaks, as "\n", and spaces and tabs: for a file that a program reads. */
export function cleanLines(text: string): string {
  return text
    .replace(ansiEscape, "")
    .replace(/\r\n?/gu, "\n")
    .replace(otherBreaks, " ")
    .replace(unprintable, "");
}

// CSI, OSC (ended by BEL or ST) and two-byte escapes, in their 7-bit and 8-bit forms. No part may match across the start
// of the next escape, so that a text of nothing but starts takes linear time.
const ansiEscape = new RegExp(
  [
    String.raw`(?:\u001b\]|\u009d)[^\u0007\u001b\u009c\u009d]*(?:\u0007|\u001b\\|\u009c)`,
    String.raw`(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]`,
    String.raw`\u001b[ -/]*[0-~]`,
  ].join("|"),
  "gu",
);

// In JavaScript the BOM is white space and NEL (U+0085) is not; for a reader it is the other way round.
const otherBreaks = /[\v\f\u0085\u2028\u2029]/gu;

const whiteSpace = /[\s\u0085]+/gu;

const unprintable = /\uFEFF|(?![\s\u0085])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\uFFFD]/gu;

/**
 * Shortens to at most `length` visible characters by cutting out the middle, the least informative part of
 * paths and titles.
 */
export function cutMiddle(text: string, length: number): string {
  if (length < 1) return "";
  if (text.length <= length) return text;
  graphemes ??= new Intl.Segmenter();
  const near = withoutFarMiddle(text, length);
  const characters = Array.from(graphemes.segment(near), ({ segment }) => segment);
  if (characters.length <= length) return near;
  const tail = Math.floor((length - 1) / 2);
  return `${characters.slice(0, length - 1 - tail).join("")}…${characters.slice(characters.length - tail).join("")}`;
}

/** Shortens to at most `length` visible characters by cutting the end, at a word's end where one is near: for a title within a sentence. */
export function cutEnd(text: string, length: number): string {
  if (length < 1) return "";
  if (text.length <= length) return text;
  graphemes ??= new Intl.Segmenter();
  const near = text.slice(0, length * maxGraphemeLength);
  const characters = Array.from(graphemes.segment(near), ({ segment }) => segment);
  if (near === text && characters.length <= length) return text;
  const kept = characters.slice(0, length - 1);
  const space = kept.lastIndexOf(" ");
  const isWordCut = characters[length - 1] !== " ";
  return `${kept
    .slice(0, isWordCut && space > kept.length / 2 ? space : undefined)
    .join("")
    .trimEnd()}…`;
}

/**
 * Shortens for people to at most `length` visible characters: prose at its end, and a path or a name, with an
 * end as informative as the beginning, in the middle.
 */
export function shorten(text: string, length: number): string {
  const isProse = /\S\s+\S/u.test(text) && !/^(?:~?[\\/]|[A-Za-z]:[\\/])/u.test(text);
  return isProse ? cutEnd(text, length) : cutMiddle(text, length);
}

/** Drops text far from both ends, which is never shown: segmenting is slow, and untrusted text may be megabytes. */
function withoutFarMiddle(text: string, length: number): string {
  const kept = length * maxGraphemeLength;
  return text.length <= 2 * kept ? text : text.slice(0, kept) + text.slice(-kept);
}

/** Created on first use: most texts are short, and activation has no time for it. */
let graphemes: Intl.Segmenter | undefined;

/** In UTF-16 units; a family emoji has 11. A longer one, which no script uses, may be cut apart. */
const maxGraphemeLength = 32;

/** Adds a capital at the start and a full stop at the end. Empty for an empty text. */
export function asSentence(text: string): string {
  const trimmed = text.trim();
  return trimmed === "" ? "" : withFullStop(trimmed.charAt(0).toUpperCase() + trimmed.slice(1));
}

/** Adds a full stop where none ends the text, a Japanese one after Japanese. */
export function withFullStop(text: string): string {
  if (/[.!?…。！？]$/u.test(text)) return text;
  return `${text}${/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー」]$/u.test(text) ? "。" : "."}`;
}
