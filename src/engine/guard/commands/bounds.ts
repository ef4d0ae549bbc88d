import { certainTexts, withShortTexts, withoutPlainTexts, type CertainText } from "./plain-text.ts";

/**
 * A command line of more characters besides its plain texts is read by its words: parsing it could take longer than an agent should wait.
 */
const longestParsed = 8000;
/** Of a longer one, texts that run nothing are shortened first. Characters. */
const longestWhole = 100_000;
/** A command line of more characters in all is read by its words. */
const longestLooked = 500_000;
/** Likewise with more brackets, braces and backticks, whose nesting makes parsing slow. */
const mostOpened = 200;

/** A command line that can be parsed, and the steps that it takes. */
export interface Parseable {
  readonly text: string;
  readonly steps: number;
}

/**
 * Returns the command line that is parsed in place of a long one, perhaps with the bodies of its here-documents shortened; null where it
 * is still too long, or nested too deep, to be parsed in time.
 */
export function parseableText(text: string): Parseable | null {
  if (text.length > longestLooked) return null;
  const texts = certainTexts(text);
  if (text.length > longestWhole) return shortParseable(text, texts);
  const code = withoutPlainTexts(text, texts);
  if (code.length <= longestParsed) return parseable(text, code);
  const short = withShortTexts(text, texts, "filled");
  return short === null ? null : shortParseable(short, certainTexts(short));
}

function shortParseable(text: string, texts: readonly CertainText[]): Parseable | null {
  const short = text.length > longestWhole ? withShortTexts(text, texts, "all") : text;
  if (short === null || short.length > longestWhole) return null;
  const shortCode = withoutPlainTexts(short, certainTexts(short));
  return shortCode.length > longestParsed ? null : parseable(short, shortCode);
}

function parseable(text: string, code: string): Parseable | null {
  return openedIn(code) > mostOpened ? null : { text, steps: parsingSteps(text, code) };
}

/** Steps for parsing something that opens, which the parser reads again within what is around it. */
const openedSteps = 40;
/** Steps for parsing a word, or a part of one: each is an object, and memory for it is what takes time. */
const pieceSteps = 4;
/** Characters that the parser passes in the time of one step, of code and of plain text. */
const passed = { code: 4, plain: 64 };

/** Returns the steps that parsing a text takes. @param code the text without what is plain in it */
function parsingSteps(text: string, code: string): number {
  const plain = Math.ceil((text.length - code.length) / passed.plain);
  return (
    Math.ceil(code.length / passed.code) + plain + piecesIn(code) * pieceSteps + openedIn(code) * openedSteps
  );
}

/** Of a longer command line that is read by its words, its beginning and its end are read. Characters. */
const longestRead = { begin: 8000, end: 4000 };

/** Returns what of a text can be read by its words within some steps: all, or its beginning and its end. */
export function readableText(text: string, steps: number): string {
  const { begin, end } = longestRead;
  if (text.length <= begin + end && wordReadingSteps(text) <= steps) return text;
  const tail = fitting(text.slice(-Math.min(end, Math.floor(text.length / 3))), steps / 3, "end");
  const rest = steps - wordReadingSteps(tail) - pieceSteps;
  const head = fitting(text.slice(0, Math.min(begin, text.length - tail.length)), rest, "begin");
  return head === "" ? "" : `${head}\n${tail}`;
}

/** Returns as much of a text's beginning, or of its end, as can be read within some steps. */
function fitting(text: string, steps: number, kept: "begin" | "end"): string {
  // A word that is cut counts as one more.
  let left = steps - pieceSteps - 1;
  for (let length = 0; length < text.length; length += 1) {
    const at = kept === "begin" ? length : text.length - 1 - length;
    left -= 1 / passed.code + (isWordPiece(text, at) ? pieceSteps : 0);
    if (left < 0) return kept === "begin" ? text.slice(0, length) : text.slice(text.length - length);
  }
  return text;
}

/** Returns the steps that reading a text by its words takes. */
export function wordReadingSteps(text: string): number {
  return Math.ceil(text.length / passed.code) + piecesIn(text, isWordPiece) * pieceSteps;
}

/** Returns the number of words, and of quotes, variables, patterns and separators within them. */
function piecesIn(text: string, isCounted = isPiece): number {
  let pieces = 0;
  for (let at = 0; at < text.length; at += 1) if (isCounted(text, at)) pieces += 1;
  return pieces;
}

/** Where words alone are read, each bracket ends a command. */
function isWordPiece(text: string, at: number): boolean {
  return brackets.has(text.charCodeAt(at)) || isPiece(text, at);
}

function isPiece(text: string, at: number): boolean {
  const char = text.charCodeAt(at);
  if (char <= blank) return char === lineFeed;
  return at === 0 || text.charCodeAt(at - 1) <= blank || marks.has(char);
}

const blank = 32;
const lineFeed = 10;
const brackets = new Set(["(", ")", "{", "}"].map((char) => char.charCodeAt(0)));
const marks = new Set(['"', "'", "$", "*", "?", ";", "|", "&", "<", ">"].map((char) => char.charCodeAt(0)));

/** Characters that are joined to others, or passed on, in the time of one step. */
const joined = 64;

/** Characters that are looked at for plain texts in the time of one step. */
const looked = 128;

/** Returns the steps for finding out whether a text can be parsed. */
export function lookingSteps(text: string): number {
  return Math.ceil(Math.min(text.length, longestLooked) / looked);
}

/** Returns the steps for joining a text to others, or printing it. */
export function textSteps(text: string | null): number {
  return text === null ? 0 : Math.ceil(text.length / joined);
}

/** Returns the steps for a command besides its words. */
export function commandSteps(length: number): number {
  return 30 + Math.ceil(length / joined);
}

function openedIn(text: string): number {
  let opened = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    // ( ` { <
    if (char === 40 || char === 96 || char === 123 || char === 60) opened += 1;
  }
  return opened;
}
