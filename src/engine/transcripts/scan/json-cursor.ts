import { byteSet, decodeText } from "./bytes.ts";
import type { KeyTable } from "./key-table.ts";
import { Literal, stringStop, wordsOf } from "./byte-words.ts";

const [quote, backslash, comma, colon, lineFeed] = [0x22, 0x5c, 0x2c, 0x3a, 0x0a];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
const [minus, plus, point, letterE, capitalE] = [0x2d, 0x2b, 0x2e, 0x65, 0x45];
const [letterF, letterN, letterT, letterU] = [0x66, 0x6e, 0x74, 0x75];
const escapable = byteSet('"\\/bfnrt');
const hexadecimal = byteSet("0123456789abcdefABCDEF");
const [nullWord, trueWord, falseWord] = [Literal.of("null"), Literal.of("true"), Literal.of("false")];
/** The end of a skipped string is searched word by word up to this length, then with `indexOf`. */
const shortString = 40;

/**
 * Walks the JSON text of a line. It accepts what `JSON.parse` accepts, with one exception: a skipped string may contain
 * control characters and invalid escapes. A failure is sticky: the cursor then stays at the end, every further step does
 * nothing, and `isValid` is false.
 */
export class JsonCursor {
  /** The buffer that spans refer to. Not always the one passed in. */
  bytes: Buffer = Buffer.alloc(0);
  at = 0;
  isValid = true;
  /** Where the last failure was. */
  failedAt = 0;
  /** Bounds of the last string read, without its quotes. */
  textStart = 0;
  textEnd = 0;
  /** The string's raw bytes contain a backslash, so they must be decoded. */
  isEscaped = false;
  #words = new DataView<ArrayBufferLike>(new ArrayBuffer(0));
  #end = 0;
  #isFirst = false;
  /** The closing byte of each open container while a value is skipped. */
  #closers = new Uint8Array(64);

  /**
   * Positions the cursor at the start of a line. It relies on a line feed after the line, which is not valid inside any
   * JSON token and so ends every loop without a length check; if there is none, it works on a copy.
   */
  reset(bytes: Buffer, start: number, end: number): void {
    this.isValid = true;
    if (bytes[end] === lineFeed) {
      this.bytes = bytes;
      this.at = start;
      this.#end = end;
    } else {
      this.bytes = Buffer.allocUnsafe(end - start + 1);
      this.at = 0;
      this.#end = bytes.copy(this.bytes, 0, start, end);
      this.bytes[this.#end] = lineFeed;
    }
    this.#words = wordsOf(this.bytes);
  }

  /** The next byte that is not white space, or -1 at the end. */
  peek(): number {
    const byte = this.bytes[this.at] ?? 0;
    return byte > 0x20 ? byte : this.#peekFar();
  }

  /** Enters an object, whose opening brace the caller has seen. `member` then steps through its members. */
  enter(): void {
    this.at += 1;
    this.#isFirst = true;
  }

  /** Reads the next member's key, and moves to its value; false after the closing brace. */
  member(): boolean {
    // Fast path for nearly all members, which agents write as `,"key":`. Others take the slower path below.
    const { bytes } = this;
    const start = this.at + (this.#isFirst ? 1 : 2);
    if (bytes[start - 1] === quote && (this.#isFirst || bytes[this.at] === comma)) {
      const at = stringStop(this.#words, start, this.#end);
      if (bytes[at] === quote && bytes[at + 1] === colon) {
        this.isEscaped = false;
        this.textStart = start;
        this.textEnd = at;
        this.at = at + 2;
        this.#isFirst = false;
        return true;
      }
    }
    if (!this.#more(closeObject)) return false;
    if (this.peek() === quote) this.string();
    else this.#fail();
    this.#expectFar(colon);
    return this.isValid;
  }

  /** The table's entry for the key of the member at hand. */
  find<Value>(keys: KeyTable<Value>): Value | undefined {
    return this.isEscaped
      ? keys.findText(decodeText(this.bytes, this.textStart, this.textEnd, true))
      : keys.find(this.bytes, this.textStart, this.textEnd);
  }

  /**
   * Enters an array, whose opening bracket the caller has seen. `element` then steps through its elements until it
   * returns false.
   */
  enterArray(): void {
    this.at += 1;
    this.#isFirst = true;
  }

  /** Moves to the next element; false after the closing bracket. */
  element(): boolean {
    return this.#more(closeArray);
  }

  /** Reads the string whose opening quote is at the cursor. */
  string(): void {
    const { bytes } = this;
    let at = this.at + 1;
    this.textStart = at;
    this.isEscaped = false;
    for (;;) {
      at = stringStop(this.#words, at, this.#end);
      if (bytes[at] === quote) break;
      if (bytes[at] !== backslash) {
        this.#fail();
        return;
      }
      this.isEscaped = true;
      this.at = at;
      this.#escape();
      if (!this.isValid) return;
      ({ at } = this);
    }
    this.textEnd = at;
    this.at = at + 1;
  }

  /** Reads a number and returns its value; `NaN` after a failure. */
  number(): number {
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
    const next = bytes[at];
    const isPlain = at > start && at - start < 16 && next !== point && next !== letterE && next !== capitalE;
    if (isPlain && (at - start === 1 || bytes[start] !== 0x30)) {
      this.at = at;
      return value;
    }
    this.#skipNumber();
    return this.isValid ? Number(bytes.toString("latin1", start, this.at)) : Number.NaN;
  }

  /** Skips any one value. */
  skip(): void {
    let depth = 0;
    for (;;) {
      const byte = this.peek();
      if (byte === quote) this.#skipString();
      else if (byte === openObject || byte === openArray) {
        this.at += 1;
        const closer = byte + 2;
        if (this.peek() !== closer) {
          this.#push(depth, closer);
          depth += 1;
          if (byte === openObject) this.#skipKey();
          continue;
        }
        this.at += 1;
      } else this.#skipScalar(byte);
      while (depth > 0 && this.peek() === this.#closers[depth - 1]) {
        this.at += 1;
        depth -= 1;
      }
      if (depth === 0 || !this.isValid) return;
      this.#expect(comma);
      if (this.#closers[depth - 1] === closeObject) this.#skipKey();
    }
  }

  #peekFar(): number {
    const { bytes } = this;
    const end = this.#end;
    let { at } = this;
    for (; at < end; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d) continue;
      this.at = at;
      return byte;
    }
    this.at = end;
    return -1;
  }

  #more(closer: number): boolean {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (this.peek() === closer) {
      this.at += 1;
      return false;
    }
    if (isFirst) return this.isValid;
    this.#expect(comma);
    return this.isValid;
  }

  #skipKey(): void {
    const { bytes } = this;
    let at = this.at + 1;
    if (bytes[at - 1] === quote) at = stringStop(this.#words, at, this.#end);
    if (bytes[at] === quote && bytes[at + 1] === colon && bytes[this.at] === quote) {
      this.at = at + 2;
      return;
    }
    if (this.peek() === quote) this.#skipString();
    else this.#fail();
    this.#expectFar(colon);
  }

  #skipString(): void {
    const { bytes } = this;
    let at = this.at + 1;
    for (;;) {
      const patience = at + shortString;
      at = stringStop(this.#words, at, Math.min(patience, this.#end));
      if (at === patience) at = this.#textEnd(at);
      const byte = bytes[at];
      if (byte === quote) break;
      if (byte === backslash) at += 2;
      else if (at < this.#end) at += 1;
      else {
        this.#fail();
        return;
      }
    }
    // A backslash at the end skips past it, into the next line.
    if (at < this.#end) this.at = at + 1;
    else this.#fail();
  }

  /** Moves to the next quote, or back to the backslashes before it. */
  #textEnd(from: number): number {
    const { bytes } = this;
    const end = bytes.indexOf(quote, from);
    if (end < 0 || end > this.#end) return this.#end;
    let at = end;
    while (at > from && bytes[at - 1] === backslash) at -= 1;
    return at;
  }

  #skipScalar(byte: number): void {
    if (byte === letterN) this.#word(nullWord);
    else if (byte === letterT) this.#word(trueWord);
    else if (byte === letterF) this.#word(falseWord);
    else this.#skipNumber();
  }

  #word(word: Literal): void {
    if (word.isAt(this.#words, this.at, this.#end)) this.at += word.length;
    else this.#fail();
  }

  #skipNumber(): void {
    if (this.bytes[this.at] === minus) this.at += 1;
    if (this.bytes[this.at] === 0x30) this.at += 1;
    else this.#digits();
    if (this.bytes[this.at] === point) {
      this.at += 1;
      this.#digits();
    }
    const exponent = this.bytes[this.at];
    if (exponent !== letterE && exponent !== capitalE) return;
    this.at += 1;
    const sign = this.bytes[this.at];
    if (sign === minus || sign === plus) this.at += 1;
    this.#digits();
  }

  #digits(): void {
    const start = this.at;
    for (;;) {
      const byte = this.bytes[this.at] ?? 0;
      if (byte < 0x30 || byte > 0x39) break;
      this.at += 1;
    }
    if (this.at === start) this.#fail();
  }

  /** Reads an escape; the cursor is at its backslash. */
  #escape(): void {
    const byte = this.bytes[this.at + 1] ?? 0;
    this.at += 2;
    if (byte === letterU) for (let digit = 0; digit < 4; digit += 1) this.#expectOf(hexadecimal);
    else if (escapable[byte] !== 1) this.#fail();
  }

  #push(depth: number, closer: number): void {
    if (depth === this.#closers.length) {
      const grown = new Uint8Array(depth * 2);
      grown.set(this.#closers);
      this.#closers = grown;
    }
    this.#closers[depth] = closer;
  }

  #expect(byte: number): void {
    if (this.bytes[this.at] === byte) this.at += 1;
    else this.#fail();
  }

  #expectFar(byte: number): void {
    if (this.peek() === byte) this.at += 1;
    else this.#fail();
  }

  #expectOf(set: Uint8Array): void {
    if (set[this.bytes[this.at] ?? 0] === 1) this.at += 1;
    else this.#fail();
  }

  #fail(): void {
    if (this.isValid) this.failedAt = this.at;
    this.isValid = false;
    this.at = this.#end;
  }
}
