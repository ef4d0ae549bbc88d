import { kindOf, leftOutNotice } from "./left-out.ts";
import { isTelling } from "./telling-line.ts";

const elements = kindOf("json", "element of the same shape", "elements of the same shape");
const characters = kindOf("json", "character");

/** Of a longer array of like elements, the first few and the last are kept, and each that tells of an error. */
const mostElements = 12;
const keptAtStart = 6;
/** Text of one word that is longer, such as an image in base64, is cut after its first characters. */
const longestWord = 1000;
const keptOfWord = 200;
/** Deeper nesting is left as it is. */
const deepest = 500;

interface Element {
  readonly from: number;
  readonly to: number;
  /** The names of an object's members, or the type of a value. */
  readonly shape: string;
  readonly isTelling: boolean;
}

interface Cut {
  readonly from: number;
  readonly to: number;
  readonly notice: string;
}

interface Open {
  readonly isArray: boolean;
  readonly from: number;
  readonly elements: Element[];
  readonly names: string[];
  /** The name of the member that is being read. */
  name: string | null;
  isTelling: boolean;
}

/** Members that say how bad something is, whatever their value. */
const tellingName = /^(?:severity|ruleid|level|stderr|stack|diagnostics?)$/iu;
const word = /-?\d[\d.eE+-]*|true|false|null/uy;
const space = /\s*/uy;

export interface ShortenedJson {
  readonly text: string;
  readonly removedLines: number;
}

/**
 * Shortens a text that is one JSON value. What is kept stands as it stood. Returns the same text where nothing is to be cut, and
 * null where the text is no JSON.
 */
export function shortenedJson(text: string): ShortenedJson | null {
  const cuts = cutsOf(text);
  if (cuts === null) return null;
  const parts: string[] = [];
  let at = 0;
  let removedLines = 0;
  for (const cut of cuts.sort((a, b) => a.from - b.from || b.to - a.to)) {
    if (cut.from < at) continue;
    parts.push(text.slice(at, cut.from), cut.notice);
    const size = text.slice(cut.from, cut.to).split("\n").length;
    removedLines += size > 1 ? size : 0;
    at = cut.to;
  }
  return { text: parts.join("") + text.slice(at), removedLines };
}

/** Reads the text once, and returns what to cut; null where it is no JSON. */
function cutsOf(text: string): Cut[] | null {
  const cuts: Cut[] = [];
  const open: Open[] = [];
  let isEnded = false;
  let end = 0;
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, end)) {
    const read = tokenAt(text, at);
    if (read === null || isEnded || open.length > deepest) return null;
    end = at + read.length;
    const parent = open.at(-1);
    if (read === "[" || read === "{") {
      open.push({ isArray: read === "[", from: at, elements: [], names: [], name: null, isTelling: false });
      continue;
    }
    if (read === "," || read === ":") {
      if (parent === undefined) return null;
      continue;
    }
    let element: Element;
    if (read === "]" || read === "}") {
      if (parent?.isArray !== (read === "]")) return null;
      open.pop();
      if (parent.isArray) for (const cut of cutsOfArray(parent.elements)) cuts.push(cut);
      const shape = parent.isArray ? "[]" : parent.names.join();
      element = { from: parent.from, to: end, shape, isTelling: parent.isTelling };
    } else {
      const isName = parent !== undefined && !parent.isArray && parent.name === null;
      if (isName) {
        if (!read.startsWith('"')) return null;
        parent.name = read.slice(1, -1);
        parent.names.push(parent.name);
        parent.isTelling ||= tellingName.test(parent.name);
        continue;
      }
      if (read.length > longestWord) cuts.push(...cutsOfWord(read, at));
      element = {
        from: at,
        to: end,
        shape: /^["tfn]/u.exec(read)?.[0] ?? "0",
        isTelling: tells(parent, read),
      };
    }
    const around = open.at(-1);
    if (around === undefined) isEnded = true;
    else addTo(around, element);
  }
  return isEnded ? cuts : null;
}

const marks = new Set("[]{},:");

/** A mark, a string, a number or a word; null where there is none. */
function tokenAt(text: string, at: number): string | null {
  const first = text.charAt(at);
  if (marks.has(first)) return first;
  if (first !== '"') {
    word.lastIndex = at;
    return word.exec(text)?.[0] ?? null;
  }
  for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charAt(end - 1 - escapes) === "\\") escapes += 1;
    if (escapes % 2 === 0) return text.slice(at, end + 1);
  }
  return null;
}

function skipSpace(text: string, from: number): number {
  space.lastIndex = from;
  space.test(text);
  return space.lastIndex;
}

function addTo(parent: Open, element: Element): void {
  parent.isTelling ||= element.isTelling;
  if (parent.isArray) parent.elements.push(element);
  parent.name = null;
}

/** A member such as `"error": null` tells that there is none. */
function tells(parent: Open | undefined, value: string): boolean {
  if (value.startsWith('"') && isTelling(value)) return true;
  const name = parent?.name ?? "";
  return name !== "" && isTelling(name) && !/^(?:null|false|0|"")$/u.test(value);
}

function cutsOfArray(all: readonly Element[]): Cut[] {
  if (all.length <= mostElements || !areAlike(all)) return [];
  const cuts: Cut[] = [];
  for (let index = keptAtStart; index < all.length - 1; index += 1) {
    let end = index;
    while (end < all.length - 1 && all[end]?.isTelling === false) end += 1;
    const [first, last] = [all[index], all[end - 1]];
    if (first === undefined || last === undefined || end <= index) continue;
    const notice = leftOutNotice(new Map([[elements, end - index]]));
    if (last.to - first.from > notice.length) cuts.push({ from: first.from, to: last.to, notice });
    index = end;
  }
  return cuts;
}

/** Nine of ten have one shape. */
function areAlike(all: readonly Element[]): boolean {
  const counts = new Map<string, number>();
  for (const { shape } of all) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  return [...counts.values()].some((count) => count >= all.length * 0.9);
}

/** Text with spaces or lines may be a file's, which is never cut. */
function cutsOfWord(word: string, at: number): Cut[] {
  if (!word.startsWith('"') || /[\s\\]/u.test(word) || isTelling(word)) return [];
  const notice = leftOutNotice(new Map([[characters, word.length - 2 - keptOfWord]]));
  return [{ from: at + 1 + keptOfWord, to: at + word.length - 1, notice }];
}
