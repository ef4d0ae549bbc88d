import { isUtf8 } from "node:buffer";
import { parseJson } from "../../base/parse-json.ts";
import { byteSet, decodeText } from "../scan/bytes.ts";
import { Literal } from "../scan/byte-words.ts";
import type { KeyTable } from "../scan/key-table.ts";

const [quote, backslash, comma, colon, space] = [0x22, 0x5c, 0x2c, 0x3a, 0x20];
const [openArray, openObject] = [0x5b, 0x7b];
const [letterF, letterN, letterT, letterU, slash] = [0x66, 0x6e, 0x74, 0x75, 0x2f];
const blanks = byteSet(" \t\n\r");
const escapable = byteSet('"\\/bfnrt');
const literals = new Map([
  [letterN, Literal.of("null")],
  [letterT, Literal.of("true")],
  [letterF, Literal.of("false")],
]);
const numberBytes = byteSet("+-.0123456789Ee");
const hex = /^[\da-f]{4}$/iu;
/** Deeper values are left to `JSON.parse`. */
const deepest = 64;
/** Maximum members of an object that are checked for repeated keys. */
const maxMembers = 24;

/**
 * Walks the JSON text of a line without building its values. Accepts nothing that `JSON.parse` refuses, and nearly
 * everything that it accepts. A failure is sticky: `isValid` is false, and the line is left to `JSON.parse`.
 */
export class JsonText {
  /** All memory of the line's buffer; positions count from its start. */
  bytes: Buffer = Buffer.alloc(0);
  at = 0;
  isValid = true;
  /** Bounds of the last string, without its quotes. */
  textStart = 0;
  textEnd = 0;
  /** Length of the last string in UTF-16 units. */
  units = 0;
  /** Whether the last string contains a backslash. */
  isEscaped = false;
  /** Whether any string so far contains a byte outside ASCII. */
  isWide = false;
  /** Bytes of the measured text that are not UTF-16 units of their own, without those of escapes. */
  #spare = 0;
  #isMeasuring = false;
  /** Whether the measured text is exactly as `JSON.stringify` writes it. */
  #isUsual = true;
  #words = new DataView<ArrayBufferLike>(new ArrayBuffer(0));
  #start = 0;
  #end = 0;

  reset(line: Buffer): void {
    if (line.buffer !== this.#words.buffer) {
      this.#words = new DataView(line.buffer);
      this.bytes = Buffer.from(line.buffer);
    }
    this.at = this.#start = line.byteOffset;
    this.#end = line.byteOffset + line.length;
    this.isValid = true;
    this.isWide = false;
  }

  /** Whether the line has ended, and all of it is valid. */
  get isWhole(): boolean {
    if (this.peek() !== -1 || !this.isValid) return false;
    return !this.isWide || isUtf8(this.bytes.subarray(this.#start, this.#end));
  }

  /** The next byte that is not white space, or -1 at the end. */
  peek(): number {
    const { bytes } = this;
    const end = this.#end;
    for (; this.at < end; this.at += 1) {
      const byte = bytes[this.at] ?? 0;
      if (byte > space) return byte;
      if (blanks[byte] !== 1) break;
      this.#isUsual = false;
    }
    if (this.at < end) this.fail();
    return -1;
  }

  fail(): void {
    this.isValid = false;
    this.at = this.#end;
  }

  /** Enters the object or array whose opening bracket the caller has seen; false for an empty one, which is then past. */
  enter(closer: number): boolean {
    this.at += 1;
    if (this.peek() === closer) {
      this.at += 1;
      return false;
    }
    return this.isValid;
  }

  /** Moves to the next member or element; false after the last one. */
  next(closer: number): boolean {
    const byte = this.peek();
    this.at += 1;
    if (byte === comma) return true;
    if (byte !== closer) this.fail();
    return false;
  }

  /**
   * Reads the key at the cursor, and moves to its value. `JSON.parse` uses the last of several members with the same
   * key, so a measured object must have none.
   *
   * @param hashes of the keys so far, if the object is measured
   */
  key(hashes: number[] | null): void {
    if (this.peek() !== quote) this.fail();
    this.string();
    if (hashes !== null) this.#noteKey(hashes);
    if (this.peek() !== colon) this.fail();
    this.at += 1;
  }

  /** Moves past this text if it is at the cursor. */
  take(written: Literal): boolean {
    if (!written.isAt(this.#words, this.at, this.#end)) return false;
    this.at += written.length;
    return true;
  }

  /** Reads the string whose opening quote is at the cursor. */
  string(): void {
    const { bytes } = this;
    const words = this.#words;
    const end = this.#end;
    const last = end - 4;
    let at = this.at + 1;
    this.textStart = at;
    this.isEscaped = false;
    // Bytes of this string that are not units: those of escapes, and others.
    let escapes = 0;
    let spare = 0;
    for (;;) {
      for (; at <= last; at += 4) {
        const word = words.getInt32(at, true);
        const quotes = word ^ 0x22222222;
        const backslashes = word ^ 0x5c5c5c5c;
        // Marks quotes, backslashes, control characters and bytes beyond ASCII; only the first mark is certain.
        const marks =
          (((quotes - 0x01010101) & ~quotes) |
            ((backslashes - 0x01010101) & ~backslashes) |
            (word - 0x20202020) |
            word) &
          0x80808080;
        if (marks !== 0) {
          at += (31 - Math.clz32(marks & -marks)) >> 3;
          break;
        }
      }
      const byte = at < end ? (bytes[at] ?? 0) : 0;
      if (byte === quote) break;
      if (byte === backslash) {
        this.isEscaped = true;
        const length = this.#escape(at);
        at += length;
        escapes += length - 1;
      } else if (byte >= 0x80) {
        this.isWide = true;
        // In valid UTF-8, which is checked at the line's end, four bytes are two units, and three or two bytes are one.
        for (let wide = byte; wide >= 0x80; wide = at < end ? (bytes[at] ?? 0) : 0) {
          if (wide < 0xc0) spare += 1;
          else if (wide >= 0xf0) spare -= 1;
          at += 1;
        }
      } else if (byte >= space) at += 1;
      else {
        this.fail();
        return;
      }
    }
    this.textEnd = at;
    this.units = at - this.textStart - escapes - spare;
    this.#spare += spare;
    this.at = at + 1;
  }

  /** Moves past any value. @param depth of the containers it is in */
  skip(depth = 0): void {
    const byte = this.peek();
    if (byte === quote) this.string();
    else if (byte === openArray || byte === openObject) this.#skipContainer(byte, depth + 1);
    else this.scalar(byte);
  }

  startMeasuring(): void {
    this.#isUsual = this.#isMeasuring = true;
    this.#spare = 0;
  }

  /**
   * The length of the text from `start` on, as `JSON.stringify` writes it; null when only `JSON.stringify` can measure
   * it.
   */
  measured(start: number): number | null {
    this.#isMeasuring = false;
    return this.#isUsual ? this.at - start - this.#spare : null;
  }

  /** The value from `start` up to the cursor, or undefined when it is invalid. */
  parsed(start: number): unknown {
    return this.isValid ? JSON.parse(this.bytes.toString("utf8", start, this.at)) : undefined;
  }

  /** The last string, which must be valid. */
  decoded(): string {
    const { bytes, textStart, textEnd, isEscaped, isWide } = this;
    if (isEscaped || isWide) return decodeText(bytes, textStart, textEnd, isEscaped);
    return bytes.toString("latin1", textStart, textEnd);
  }

  /** Whether the last string is written like this. */
  isWritten(literal: Literal): boolean {
    const { textStart, textEnd } = this;
    return textEnd - textStart === literal.length && literal.isAt(this.#words, textStart, textEnd);
  }

  /** The table's entry for the last string as a key. */
  find<Value>(keys: KeyTable<Value>): Value | undefined {
    const { bytes, textStart, textEnd } = this;
    // No agent writes such a key.
    if (this.isEscaped) this.fail();
    return keys.find(bytes, textStart, textEnd);
  }

  /** @returns the length of the escape */
  #escape(at: number): number {
    const byte = this.bytes[at + 1] ?? 0;
    if (byte === letterU) {
      if (!hex.test(this.bytes.toString("latin1", at + 2, Math.min(at + 6, this.#end)))) this.fail();
      this.#isUsual = false;
      return 6;
    }
    if (byte === slash) this.#isUsual = false;
    if (escapable[byte] !== 1) this.fail();
    return 2;
  }

  #skipContainer(opener: number, depth: number): void {
    const closer = opener + 2;
    const isObject = opener === openObject;
    const hashes: number[] | null = isObject && this.#isMeasuring ? [] : null;
    if (depth > deepest) this.fail();
    for (let more = this.enter(closer); more; more = this.next(closer)) {
      if (isObject) this.key(hashes);
      this.skip(depth);
    }
  }

  #noteKey(hashes: number[]): void {
    let hash = 0;
    for (let at = this.textStart; at < this.textEnd; at += 1)
      hash = (Math.imul(hash, 31) + (this.bytes[at] ?? 0)) | 0;
    if (hashes.length === maxMembers || hashes.includes(hash)) this.#isUsual = false;
    else hashes.push(hash);
  }

  /** Reads a number, boolean or null that begins with this byte. */
  scalar(byte: number): unknown {
    const { bytes } = this;
    const start = this.at;
    let { at } = this;
    let value = 0;
    for (;;) {
      const digit = (bytes[at] ?? 0) - 0x30;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
      at += 1;
    }
    const length = at - start;
    const isPlain = length > 0 && length < 16 && at < this.#end && numberBytes[bytes[at] ?? 0] !== 1;
    if (isPlain && (length === 1 || byte !== 0x30)) {
      this.at = at;
      return value;
    }
    return this.#unusualScalar(byte);
  }

  #unusualScalar(byte: number): unknown {
    const literal = literals.get(byte);
    if (literal !== undefined) {
      if (literal.isAt(this.#words, this.at, this.#end)) this.at += literal.length;
      else this.fail();
      return byte === letterN ? null : byte === letterT;
    }
    const start = this.at;
    while (this.at < this.#end && numberBytes[this.bytes[this.at] ?? 0] === 1) this.at += 1;
    const text = this.bytes.toString("latin1", start, this.at);
    const value = parseJson(text);
    if (typeof value !== "number") this.fail();
    if (String(value) !== text) this.#isUsual = false;
    return value;
  }
}
