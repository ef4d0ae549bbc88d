/**
 * Byte strings stored back to back in one array: a hundred thousand ids cost no objects, and move between threads as a
 * whole.
 */
export class ByteArena {
  /** A buffer, as the bytes of files are: code that sees both kinds of arrays is compiled twice. */
  #bytes: Buffer<ArrayBuffer>;
  /** Where each string ends; it starts where the one before it ends. */
  #ends: Uint32Array<ArrayBuffer>;
  #size: number;

  constructor(
    packed: PackedArena = { bytes: new Uint8Array(1 << 14), ends: new Uint32Array(1 << 9), size: 0 },
  ) {
    // A buffer that came from another thread is a plain array.
    this.#bytes = Buffer.from(packed.bytes.buffer);
    this.#ends = packed.ends;
    this.#size = packed.size;
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): Buffer<ArrayBuffer> {
    return this.#bytes;
  }

  start(number: number): number {
    return number === 0 ? 0 : (this.#ends[number - 1] ?? 0);
  }

  end(number: number): number {
    return this.#ends[number] ?? 0;
  }

  /** Adds a string; returns its number: 0, 1, 2, … */
  append(bytes: Uint8Array, start: number, end: number): number {
    const number = this.#size;
    const from = this.start(number);
    const needed = from + end - start;
    if (needed > this.#bytes.length) this.#growBytes(needed);
    if (number === this.#ends.length) this.#growEnds();
    const own = this.#bytes;
    for (let at = start, mine = from; at < end; at += 1, mine += 1) own[mine] = bytes[at] ?? 0;
    this.#ends[number] = needed;
    this.#size = number + 1;
    return number;
  }

  /** Whether string `number` equals the given bytes. */
  holds(number: number, bytes: Uint8Array, start: number, end: number): boolean {
    let mine = this.start(number);
    if (this.end(number) - mine !== end - start) return false;
    const own = this.#bytes;
    for (let at = start; at < end; at += 1, mine += 1) {
      if (own[mine] !== bytes[at]) return false;
    }
    return true;
  }

  text(number: number): string {
    const start = this.start(number);
    return this.#bytes.toString("utf8", start, this.end(number));
  }

  /** The arena's content, ready to be transferred to another thread. The arena must not be used afterwards. */
  pack(): PackedArena {
    return { bytes: this.#bytes, ends: this.#ends, size: this.#size };
  }

  #growBytes(needed: number): void {
    const bytes = Buffer.from(new ArrayBuffer(Math.max(needed, this.#bytes.length * 2)));
    bytes.set(this.#bytes);
    this.#bytes = bytes;
  }

  #growEnds(): void {
    const ends = new Uint32Array(this.#ends.length * 2);
    ends.set(this.#ends);
    this.#ends = ends;
  }
}

export interface PackedArena {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
  readonly size: number;
}
