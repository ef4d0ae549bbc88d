/**
 * Marks, in the top bit of each byte, the bytes of a four-byte word that end a plain run within a JSON string: quotes,
 * backslashes and control characters. Bytes after the first marked one may be marked by mistake.
 */
function stopsIn(word: number): number {
  const quotes = word ^ 0x22222222;
  const backslashes = word ^ 0x5c5c5c5c;
  const stops =
    ((quotes - 0x01010101) & ~quotes) |
    ((backslashes - 0x01010101) & ~backslashes) |
    ((word - 0x20202020) & ~word);
  return stops & 0x80808080;
}

/** The position of the first quote, backslash or control character, or `end` when there is none before it. */
export function stringStop(words: DataView, from: number, end: number): number {
  const last = end - 4;
  let at = from;
  for (; at <= last; at += 4) {
    const stops = stopsIn(words.getInt32(at, true));
    if (stops !== 0) return at + ((31 - Math.clz32(stops & -stops)) >> 3);
  }
  for (; at < end; at += 1) {
    const byte = words.getUint8(at);
    if (byte < 0x20 || byte === 0x22 || byte === 0x5c) break;
  }
  return at;
}

let lastBytes: Uint8Array = new Uint8Array(0);
let lastWords: DataView = new DataView(lastBytes.buffer);

/** A view of the bytes that can be read by words. The last one is kept: lines come from one buffer. */
export function wordsOf(bytes: Uint8Array): DataView {
  if (bytes !== lastBytes) {
    lastBytes = bytes;
    lastWords = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  return lastWords;
}

/** A text to be recognized, four bytes at a time. */
export class Literal {
  readonly length: number;
  /** The last word ends where the text ends, and so overlaps the one before it. */
  readonly #words: Int32Array;
  /** Bytes of a text shorter than a word. */
  readonly #short: Uint8Array;

  static of(text: string): Literal {
    return new Literal(Buffer.from(text));
  }

  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.length = bytes.length;
    this.#short = bytes.length < 4 ? bytes.slice() : new Uint8Array(0);
    this.#words = new Int32Array(bytes.length < 4 ? 0 : Math.ceil(bytes.length / 4));
    for (let index = 0; index < this.#words.length; index += 1)
      this.#words[index] = view.getInt32(Math.min(index * 4, bytes.length - 4), true);
  }

  /** Whether the text is at `start` and ends at `end` or before. */
  isAt(words: DataView, start: number, end: number): boolean {
    if (start + this.length > end) return false;
    if (this.length < 4) return this.#isShortAt(words, start);
    const literal = this.#words;
    const last = start + this.length - 4;
    let index = 0;
    for (let at = start; at < last; at += 4, index += 1) {
      if (words.getInt32(at, true) !== literal[index]) return false;
    }
    return words.getInt32(last, true) === literal[index];
  }

  #isShortAt(words: DataView, start: number): boolean {
    for (let index = 0; index < this.length; index += 1) {
      if (words.getUint8(start + index) !== this.#short[index]) return false;
    }
    return true;
  }
}
