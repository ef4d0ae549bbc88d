/** Searches the lines of a buffer, which come in order, for a mark: each byte once, and no line by a search of its own. */
export class MarkSearch {
  readonly #mark: Buffer;
  #bytes: Buffer | undefined;
  /** The start of the last line, from which on the next mark is known. */
  #from = 0;
  /** The position of the next mark, or past the buffer's end. */
  #next = 0;

  constructor(mark: string) {
    this.#mark = Buffer.from(mark);
  }

  /** Whether the mark is in a line. A line that begins before the last one is of a buffer that was filled again. */
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
