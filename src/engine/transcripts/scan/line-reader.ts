import { readSync } from "node:fs";

/** A part of a file: the lines whose first byte is at `start` or later, and before `end`. Bytes. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface LineVisitor {
  /** Whether a line that does not fit the buffer is worth a larger one; asked with as much of it as there is. */
  mayWant(bytes: Buffer, start: number, end: number): boolean;
  /** The line stands in the buffer from `start` to `end`, its line feed left out, until the visit ends. */
  line(bytes: Buffer, start: number, end: number): void;
  /** The line is wanted, but longer than any buffer may be. */
  oversized(): void;
  /** Asked now and then; true ends the reading. */
  isStopped(): boolean;
}

/** Which of the buffer's bytes are to be visited. */
interface Filling {
  readonly from: number;
  readonly sought: number;
  readonly last: number;
  readonly filled: number;
}

/** Small enough to stay in a core's cache while it is searched. */
const usualBuffer = 1 << 18;
/** No line longer than this is looked into: what it tells is not worth the memory. */
const longestLine = 1 << 26;
/** How much is read at a time to find the end of a part's last line. */
const overhang = 1 << 14;
const lineFeed = 0x0a;

/**
 * Reads the lines of files, a part at a time, into one buffer that is used over and over and grows only for a long line
 * that is wanted.
 */
export class LineReader {
  readonly #longest: number;
  #buffer = Buffer.allocUnsafeSlow(usualBuffer);

  constructor(longest = longestLine) {
    this.#longest = longest;
  }

  /** Answers how many bytes it read. Throws the system's errors. */
  read(descriptor: number, range: ByteRange, visitor: LineVisitor): number {
    // A part begins after the line feed of the line before, so its first whole line is told by the byte before it.
    let position = Math.max(0, range.start - 1);
    let isInRest = range.start > 0;
    /** Where the buffer's first byte stands in the file, and how many bytes of it are filled. */
    let base = position;
    let filled = 0;
    /** Of these, the first that are known to hold no line feed. */
    let sought = 0;
    let total = 0;
    while (!visitor.isStopped()) {
      const count = this.#fill(descriptor, filled, position, range.end);
      position += count;
      filled += count;
      total += count;
      let from = 0;
      if (isInRest) {
        from = this.#find(0, filled) + 1;
        isInRest = from === 0;
        if (isInRest) from = filled;
      }
      if (!isInRest)
        from = this.#visitLines({ from, sought, last: Math.min(filled, range.end - base), filled }, visitor);
      if (base + from >= range.end) break;
      if (count === 0) {
        if (from < filled) visitor.line(this.#buffer, from, filled);
        break;
      }
      if (from > 0) this.#buffer.copyWithin(0, from, filled);
      base += from;
      filled -= from;
      sought = filled;
      if (filled === this.#buffer.length) {
        isInRest = !this.#makeRoom(filled, visitor);
        if (isInRest) {
          base += filled;
          filled = sought = 0;
        }
      }
    }
    if (this.#buffer.length > usualBuffer) this.#buffer = Buffer.allocUnsafeSlow(usualBuffer);
    return total;
  }

  #fill(descriptor: number, filled: number, position: number, end: number): number {
    const room = this.#buffer.length - filled;
    // Past the part's end only its last line is missing; a long one is read in ever larger steps.
    const wanted = position < end ? end - position : Math.max(overhang, filled);
    return readSync(descriptor, this.#buffer, filled, Math.min(room, wanted), position);
  }

  /** Visits the whole lines that begin before `last`; answers where the first byte not visited stands. */
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
    const at = this.#buffer.indexOf(lineFeed, from);
    return at < filled ? at : -1;
  }

  /** Makes the buffer larger for the line that fills it; false when the line is to be passed over. */
  #makeRoom(filled: number, visitor: LineVisitor): boolean {
    if (!visitor.mayWant(this.#buffer, 0, filled)) return false;
    if (filled >= this.#longest) {
      visitor.oversized();
      return false;
    }
    const larger = Buffer.allocUnsafeSlow(Math.min(this.#longest, filled * 2));
    this.#buffer.copy(larger, 0, 0, filled);
    this.#buffer = larger;
    return true;
  }
}
