import { eastAsianWidth } from "get-east-asian-width";

/**
 * Cells of a terminal that a text takes. East Asian wide characters and emoji take two, combining marks none; characters with a font-dependent width
 * take one, as in most terminals. Expects cleaned text.
 */
export function cellsOf(text: string): number {
  if (plain.test(text)) return text.length;
  let cells = 0;
  for (const { segment } of segmenter().segment(text)) cells += cellsOfGrapheme(segment);
  return cells;
}

export function padCells(text: string, cells: number): string {
  return text + " ".repeat(Math.max(0, cells - cellsOf(text)));
}

/** Cuts the end, the least informative part of titles and sentences. */
export function cutCellsEnd(text: string, cells: number): string {
  if (fits(text, cells)) return text;
  const { shown } = firstOf(graphemes(start(text, cells)), cells - 1);
  return `${shown.trimEnd()}…`;
}

/** Cuts out the middle, the least informative part of paths and commands. */
export function cutCellsMiddle(text: string, cells: number): string {
  if (fits(text, cells)) return text;
  const tail = Math.floor((cells - 1) / 2);
  const end = firstOf(graphemes(text.slice(-cells * maxGraphemeLength)).reverse(), tail);
  const { shown } = firstOf(graphemes(start(text, cells)), cells - 1 - end.cells);
  return `${shown}…${graphemes(end.shown).reverse().join("")}`;
}

/**
 * Breaks between words if possible. Chinese and Japanese have no spaces: there, a line may end after most characters. An empty text is one empty
 * line.
 */
export function wrapCells(text: string, cells: number): string[] {
  if (fits(text, cells)) return [text];
  const lines: string[] = [];
  let line = "";
  for (const { space, part } of breakable(text)) {
    const longer = line === "" ? part : `${line}${space}${part}`;
    if (fits(longer, cells)) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    line = part;
    while (!fits(line, cells)) {
      const { shown } = firstOf(graphemes(start(line, cells)), cells);
      // A character that is wider than a line must go somewhere.
      const piece = shown === "" ? (graphemes(start(line, cells))[0] ?? line) : shown;
      lines.push(piece);
      line = line.slice(piece.length);
      if (line === "") break;
    }
  }
  return line === "" ? lines : [...lines, line];
}

/** Parts of a text after which a line may end, each with the space before it. */
function* breakable(text: string): Generator<{ readonly space: "" | " "; readonly part: string }> {
  for (const [index, word] of text.split(" ").entries())
    for (const [place, part] of (plain.test(word) ? [word] : word.split(betweenCharacters)).entries())
      yield { space: index > 0 && place === 0 ? " " : "", part };
}

/**
 * A place in a text without spaces at which a line may end: beside a Chinese or Japanese character, but not within a word in katakana, after an
 * opening bracket, or before a closing one, a full stop, a small letter or a mark.
 */
const betweenCharacters =
  /(?<![「『（【([{"])(?<![\p{Script=Katakana}ー](?=\p{Script=Katakana}))(?:(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー、。？」])|(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}「]))(?![、。，．：；？！」』）】ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ・…～)\]}"'.,:;?!%\p{M}])/u;

/** Nearly all text in a table is plain ASCII. */
const plain = /^[ -~]*$/u;

function fits(text: string, cells: number): boolean {
  return cells === Infinity || (text.length <= cells * maxGraphemeLength && cellsOf(text) <= cells);
}

/** The start of a text that fills `cells` for sure: segmenting all of it would be slow, and untrusted text may be megabytes. */
function start(text: string, cells: number): string {
  return text.slice(0, (cells + 1) * maxGraphemeLength);
}

function firstOf(
  parts: readonly string[],
  limit: number,
): { readonly shown: string; readonly cells: number } {
  let [shown, cells] = ["", 0];
  for (const part of parts) {
    const wider = cells + cellsOfGrapheme(part);
    if (wider > limit) break;
    shown += part;
    cells = wider;
  }
  return { shown, cells };
}

function graphemes(text: string): string[] {
  return Array.from(segmenter().segment(text), ({ segment }) => segment);
}

function cellsOfGrapheme(grapheme: string): number {
  if (emoji.test(grapheme)) return 2;
  let cells = 0;
  for (const character of grapheme)
    if (!takesNone.test(character)) cells += eastAsianWidth(character.codePointAt(0) ?? 0);
  return cells;
}

/** Shown as a picture: by itself, with the mark for it, or as a pair of letters that are a flag. */
const emoji = /^(?:\p{Emoji_Presentation}|\p{Emoji}\uFE0F|\p{Regional_Indicator}{2})/u;
/** Marks, what cannot be seen, and the letters that Hangul syllables are composed with. */
const takesNone =
  /[\p{Mn}\p{Me}\p{Mc}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u1160-\u11ff\ud7b0-\ud7fb]/u;

/** In UTF-16 units; a family emoji has 11. */
const maxGraphemeLength = 32;

let ofText: Intl.Segmenter | undefined;
/** Created on first use: most texts are plain. */
function segmenter(): Intl.Segmenter {
  ofText ??= new Intl.Segmenter();
  return ofText;
}
