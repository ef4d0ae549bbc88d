import { certainTexts, withShortTexts, withoutPlainTexts, type CertainText } from "./plain-text.ts";

/** Maximum code of a command line that is parsed, without its plain texts: parsing more takes too long. Characters. */
const maxCodeLength = 8000;
/** Maximum length before texts that run nothing are shortened. Characters. */
const maxUnshortenedLength = 100_000;
/** Maximum length of a command line that is parsed. Characters. */
const maxLength = 500_000;
/** Maximum brackets, braces and backticks, as nesting makes parsing slow. */
const maxOpenings = 200;

/** A command line that can be parsed, and the steps that it takes. */
export interface Parseable {
  readonly text: string;
  readonly steps: number;
}

/** Returns the command line to parse, perhaps with shortened here-documents; null if it is too long or too deeply nested. */
export function parseableText(text: string): Parseable | null {
  if (text.length > maxLength) return null;
  const texts = certainTexts(text);
  if (text.length > maxUnshortenedLength) return shortParseable(text, texts);
  const code = withoutPlainTexts(text, texts);
  if (code.length <= maxCodeLength) return parseable(text, code);
  const short = withShortTexts(text, texts, "filled");
  return short === null ? null : shortParseable(short, certainTexts(short));
}

function shortParseable(text: string, texts: readonly CertainText[]): Parseable | null {
  const short = text.length > maxUnshortenedLength ? withShortTexts(text, texts, "all") : text;
  if (short === null || short.length > maxUnshortenedLength) return null;
  const shortCode = withoutPlainTexts(short, certainTexts(short));
  return shortCode.length > maxCodeLength ? null : parseable(short, shortCode);
}

function parseable(text: string, code: string): Parseable | null {
  return openingsIn(code) > maxOpenings ? null : { text, steps: parsingSteps(text, code) };
}

/** Steps for parsing an opening bracket, brace or backtick: the parser reads its content again. */
const openingSteps = 40;
/** Steps for parsing a word or a part of one, mostly for its memory. */
const pieceSteps = 4;
/** Characters of code and of plain text that the parser reads in the time of one step. */
const perStep = { code: 4, plain: 64 };

/** Returns the steps for parsing a text. @param code the text without its plain texts */
function parsingSteps(text: string, code: string): number {
  const plain = Math.ceil((text.length - code.length) / perStep.plain);
  return (
    Math.ceil(code.length / perStep.code) +
    plain +
    piecesIn(code) * pieceSteps +
    openingsIn(code) * openingSteps
  );
}

/** Maximum beginning and end of a command line that are read by words. Characters. */
const maxParts = { begin: 8000, end: 4000 };

/** Returns the part of a text that can be read by words within some steps: all, or its beginning and end. */
export function readableText(text: string, steps: number): string {
  const { begin, end } = maxParts;
  if (text.length <= begin + end && wordReadingSteps(text) <= steps) return text;
  const tail = fitting(text.slice(-Math.min(end, Math.floor(text.length / 3))), steps / 3, "end");
  const rest = steps - wordReadingSteps(tail) - pieceSteps;
  const head = fitting(text.slice(0, Math.min(begin, text.length - tail.length)), rest, "begin");
  return head === "" ? "" : `${head}\n${tail}`;
}

/** Returns the beginning or the end of a text that can be read within some steps. */
function fitting(text: string, steps: number, part: "begin" | "end"): string {
  // A cut word counts as one more.
  let left = steps - pieceSteps - 1;
  for (let length = 0; length < text.length; length += 1) {
    const at = part === "begin" ? length : text.length - 1 - length;
    left -= 1 / perStep.code + (isWordPiece(text, at) ? pieceSteps : 0);
    if (left < 0) return part === "begin" ? text.slice(0, length) : text.slice(text.length - length);
  }
  return text;
}

/** Returns the steps for reading a text by words. */
export function wordReadingSteps(text: string): number {
  return Math.ceil(text.length / perStep.code) + piecesIn(text, isWordPiece) * pieceSteps;
}

/** Returns the number of words, quotes, variables, patterns and separators. */
function piecesIn(text: string, isCounted = isPiece): number {
  let pieces = 0;
  for (let at = 0; at < text.length; at += 1) if (isCounted(text, at)) pieces += 1;
  return pieces;
}

/** When reading by words, each bracket ends a command. */
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

/** Characters that are joined, and characters that are searched for plain texts, in the time of one step. */
const [joinedPerStep, searchedPerStep] = [64, 128];

/** Returns the steps for testing whether a text can be parsed. */
export function lookingSteps(text: string): number {
  return Math.ceil(Math.min(text.length, maxLength) / searchedPerStep);
}

/** Returns the steps for joining or printing a text. */
export function textSteps(text: string | null): number {
  return text === null ? 0 : Math.ceil(text.length / joinedPerStep);
}

/** Returns the steps for a command without its words. */
export function commandSteps(length: number): number {
  return 30 + Math.ceil(length / joinedPerStep);
}

function openingsIn(text: string): number {
  let opened = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    // ( ` { <
    if (char === 40 || char === 96 || char === 123 || char === 60) opened += 1;
  }
  return opened;
}
