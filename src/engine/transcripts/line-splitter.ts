/** A line longer than this is skipped and counted, so that no file can ask for unbounded memory. Bytes. */
export const longestLine = 64 * 1024 * 1024;

const newline = 0x0a;

/**
 * Cuts a stream of bytes into lines, whatever the chunks. A line is handed over only when its newline has come, so a
 * half-written last line waits for its rest. Chunks may be reused by the caller after `push` returns.
 */
export class LineSplitter {
  #parts: Buffer[] = [];
  #held = 0;
  #skipping = false;

  /** Bytes held back because their line has no end yet. */
  get pending(): number {
    return this.#held;
  }

  push(chunk: Buffer, onLine: (line: Buffer) => void, onOversized: () => void): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      if (this.#skipping) this.#skipping = false;
      else onLine(this.#take(chunk.subarray(start, end)));
      start = end + 1;
    }
    if (!this.#skipping) this.#hold(chunk.subarray(start), onOversized);
  }

  #take(last: Buffer): Buffer {
    if (this.#held === 0) return last;
    const line = Buffer.concat([...this.#parts, last]);
    this.#parts = [];
    this.#held = 0;
    return line;
  }

  #hold(rest: Buffer, onOversized: () => void): void {
    if (rest.length === 0) return;
    this.#held += rest.length;
    if (this.#held <= longestLine) {
      this.#parts.push(Buffer.from(rest));
      return;
    }
    this.#parts = [];
    this.#held = 0;
    this.#skipping = true;
    onOversized();
  }
}
