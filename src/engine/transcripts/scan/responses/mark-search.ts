/**
 * Searches the lines of a buffer for a mark, in order. Visits each byte once, instead of searching each line
 * separately.
 */
export class MarkSearch {
  readonly #mark: Buffer;
  #bytes: Buffer | undefined;
  /** The start of the last line. The next mark from there on is known. */
  #from = 0;
  /** The position of the next mark, or past the buffer's end. */
  #next = 0;

  constructor(mark: string) {
    this.#mark = Buffer.from(mark);
  }

  /** Whether the mark is in a line. A line that begins before the last one belongs to a refilled buffer. */
  isIn(bytes: Buffer, start: number, end: number): boolean {
    if (bytes !== this.#bytes || start <= this.#from || this.#next < start) {
      const found = bytes.indexOf(this.#mark, start);
      this.#next = found < 0 ? bytes.length : found;
      this.#bytes = bytes;
    }
    this.#from = start;
    return this.#next < end;
  }
}
