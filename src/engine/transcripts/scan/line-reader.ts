import { readSync } from "node:fs";

/** A part of a file: the lines whose first byte is at `start` or later, and before `end`. Bytes. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface LineVisitor {
  /** Whether a line too long for the buffer is worth a larger one; called with as much of it as is available. */
  mayWant(bytes: Buffer, start: number, end: number): boolean;
  /** Called with a line, in the buffer from `start` to `end` without its line feed. Valid only during the call. */
  line(bytes: Buffer, start: number, end: number): void;
  /** Called with the last part of a line that was too long for the buffer and does not justify a larger one. */
  rest(bytes: Buffer, start: number, end: number): void;
  /** Called when a wanted line is longer than any buffer may be. */
  oversized(): void;
  /** Polled now and then; true ends the reading. */
  isStopped(): boolean;
}

/** The buffer's bytes to visit. */
interface Filling {
  readonly from: number;
  readonly sought: number;
  readonly last: number;
  readonly filled: number;
}

/** Longer lines are not read: their content is not worth the memory. Bytes. */
const maxLineLength = 1 << 26;
/** Bytes read at a time to find the end of a part's last line. */
const overhang = 1 << 14;
const lineFeed = 0x0a;

/** Reads the lines of files, one part at a time, into a single reused buffer that grows only for a wanted long line. */
export class LineReader {
  readonly #maxLength: number;
  readonly #usual: Buffer;
  #buffer: Buffer;
  /** Bytes of a long line that are held while more of it arrives, so that a record at its end is seen whole. */
  readonly #overlap: number;

  /** @param usual the buffer for lines that fit into it */
  constructor(usual: Buffer, maxLength = maxLineLength) {
    this.#usual = this.#buffer = usual;
    this.#maxLength = maxLength;
    this.#overlap = usual.length >> 1;
  }

  /** Returns the number of bytes read. Throws the system's errors. */
  read(descriptor: number, range: ByteRange, visitor: LineVisitor): number {
    // A part begins after the previous line's line feed, so the byte before it shows whether it starts with a whole
    // line.
    let position = Math.max(0, range.start - 1);
    let isInRest = range.start > 0;
    /** Whether this is the rest of a line of this part that was too long. */
    let isLong = false;
    /** Offset of the buffer's first byte in the file, and how many bytes of the buffer are filled. */
    let base = position;
    let filled = 0;
    /** How many of them, from the start, are known to contain no line feed. */
    let sought = 0;
    let total = 0;
    while (!visitor.isStopped()) {
      const count = this.#fill(descriptor, filled, position, range.end);
      position += count;
      filled += count;
      total += count;
      let from = 0;
      if (isInRest) {
        const end = this.#find(sought, filled);
        if (isLong && (end >= 0 || count === 0)) visitor.rest(this.#buffer, 0, end < 0 ? filled : end);
        if (end < 0 && count === 0) break;
        isInRest = end < 0;
        isLong &&= isInRest;
        from = isInRest ? Math.max(0, filled - (isLong ? this.#overlap : 0)) : end + 1;
      }
      if (!isInRest)
        from = this.#visitLines({ from, sought, last: Math.min(filled, range.end - base), filled }, visitor);
      if (base + from >= range.end) break;
      if (count === 0) {
        if (from < filled) visitor.line(this.#buffer, from, filled);
        break;
      }
      this.#moveUp(from, filled);
      base += from;
      filled -= from;
      sought = filled;
      if (filled === this.#buffer.length) {
        isInRest = !this.#makeRoom(filled, visitor);
        if (isInRest) {
          isLong = true;
          this.#moveUp(filled - this.#overlap, filled);
          base += filled - this.#overlap;
          filled = sought = this.#overlap;
        }
      }
    }
    this.#buffer = this.#usual;
    return total;
  }

  #fill(descriptor: number, filled: number, position: number, end: number): number {
    const room = this.#buffer.length - filled;
    // Past the part's end only the rest of its last line is missing; a long one is read in growing steps.
    const wanted = position < end ? end - position : Math.max(overhang, filled);
    return readSync(descriptor, this.#buffer, filled, Math.min(room, wanted), position);
  }

  /** Visits the whole lines that begin before `last`; returns the position of the first byte not visited. */
  #visitLines({ from, sought, last, filled }: Filling, visitor: LineVisitor): number {
    let start = from;
    for (
      let end = this.#find(Math.max(from, sought), filled);
      start < last && end >= 0;
      end = this.#find(start, filled)
    ) {
      visitor.line(this.#buffer, start, end);
      start = end + 1;
    }
    return start;
  }

  #find(from: number, filled: number): number {
    const lineEnd = this.#buffer.indexOf(lineFeed, from);
    return lineEnd < filled ? lineEnd : -1;
  }

  /** Moves what has not been visited to the buffer's start: to the usual buffer's, as soon as it fits. */
  #moveUp(from: number, filled: number): void {
    if (this.#buffer !== this.#usual && filled - from < this.#usual.length) {
      this.#buffer.copy(this.#usual, 0, from, filled);
      this.#buffer = this.#usual;
    } else if (from > 0) this.#buffer.copyWithin(0, from, filled);
  }

  /** Enlarges the buffer for the line that fills it; false when the line is to be skipped. */
  #makeRoom(filled: number, visitor: LineVisitor): boolean {
    if (!visitor.mayWant(this.#buffer, 0, filled)) return false;
    if (filled >= this.#maxLength) {
      visitor.oversized();
      return false;
    }
    const larger = Buffer.allocUnsafeSlow(Math.min(this.#maxLength, filled * 2));
    this.#buffer.copy(larger, 0, 0, filled);
    this.#buffer = larger;
    return true;
  }
}
