/** A line longer than this is skipped and counted, so that no file can ask for unbounded memory. Bytes. */
const maxLineLength = 64 * 1024 * 1024;

const newline = 0x0a;

/**
 * Splits a stream of bytes into lines, whatever the chunks. A line is delivered once its newline has arrived, so a
 * half-written last line waits for the rest, or once `end` finds it whole. The caller may reuse chunks after `push`
 * returns. A line is valid only until its receiver returns.
 */
export class LineSplitter {
  readonly #maxLength: number;
  #parts: Buffer[] = [];
  #held = 0;
  #skipping = false;
  #pending = 0;

  constructor(maxLength = maxLineLength) {
    this.#maxLength = maxLength;
  }

  /** Bytes since the last newline, including those of a skipped line. */
  get pending(): number {
    return this.#pending;
  }

  push(chunk: Buffer, onLine: (line: Buffer) => void, onOversized: () => void): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      if (this.#fits(end - start, onOversized)) onLine(this.#take(chunk.subarray(start, end)));
      this.#skipping = false;
      start = end + 1;
    }
    this.#pending = chunk.length - start + (start === 0 ? this.#pending : 0);
    if (start < chunk.length && this.#fits(chunk.length - start, onOversized)) {
      this.#parts.push(Buffer.from(chunk.subarray(start)));
      this.#held += chunk.length - start;
    }
  }

  /**
   * Call this at the end of a file. It delivers a whole last line without a newline: an agent that ended may never
   * write the newline. Returns whether it did.
   */
  end(isWhole: (line: Buffer) => boolean, onLine: (line: Buffer) => void): boolean {
    if (this.#held === 0 || this.#held !== this.#pending) return false;
    // Most unfinished lines do not end with a brace, and need not be read as a whole.
    if (!endsObject(this.#parts)) return false;
    const line = Buffer.concat(this.#parts);
    if (!isWhole(line)) {
      this.#parts = [line];
      return false;
    }
    this.#drop();
    this.#pending = 0;
    onLine(line);
    return true;
  }

  /**
   * Whether the current line may grow by this many bytes. If not, the rest of the line is dropped, and reported once.
   */
  #fits(length: number, onOversized: () => void): boolean {
    if (this.#skipping) return false;
    if (this.#held + length <= this.#maxLength) return true;
    this.#drop();
    this.#skipping = true;
    onOversized();
    return false;
  }

  #take(last: Buffer): Buffer {
    if (this.#held === 0) return last;
    const line = Buffer.concat([...this.#parts, last]);
    this.#drop();
    return line;
  }

  #drop(): void {
    this.#parts = [];
    this.#held = 0;
  }
}

function endsObject(parts: readonly Buffer[]): boolean {
  return parts.at(-1)?.toString("latin1").trimEnd().endsWith("}") === true;
}
