/**
 * Byte strings stored back to back in one array: a hundred thousand ids cost no objects, and move between threads as a
 * whole.
 */
export class ByteArena {
  /** A buffer, like the bytes of files: code that sees both kinds of arrays is compiled twice. */
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

/** Numbers distinct byte strings 0, 1, 2, … in order of arrival. */
export class ByteInterner {
  readonly #arena: ByteArena;
  /** Open addressing: a string's number + 1, or 0 for a free slot. The length is a power of two. */
  #slots: Uint32Array<ArrayBuffer>;
  /** By number, so that most comparisons, and all growing, need not read the strings. */
  #hashes: Uint32Array<ArrayBuffer>;

  /** @param packed another thread's interner, which becomes this one */
  constructor(packed?: PackedStrings) {
    this.#arena = new ByteArena(packed?.arena);
    this.#slots = packed?.slots ?? new Uint32Array(1 << 12);
    this.#hashes = packed?.hashes ?? new Uint32Array(1 << 11);
  }

  get size(): number {
    return this.#arena.size;
  }

  /**
   * Returns the string's number, new or known. `guess` is the likely number: rows repeat the values of the row before.
   */
  intern(bytes: Uint8Array, start: number, end: number, guess = -1): number {
    if (guess >= 0 && this.#arena.holds(guess, bytes, start, end)) return guess;
    return this.#internHashed(bytes, start, end, hash(bytes, start, end));
  }

  internText(text: string): number {
    const bytes = Buffer.from(text);
    return this.intern(bytes, 0, bytes.length);
  }

  text(number: number): string {
    return this.#arena.text(number);
  }

  /** The interner's content, ready to be transferred to another thread. The interner must not be used afterwards. */
  pack(): PackedStrings {
    return { arena: this.#arena.pack(), hashes: this.#hashes, slots: this.#slots };
  }

  /** Returns our number for a string of another interner, or -1. */
  find(other: ByteInterner, number: number): number {
    const code = other.#hashes[number] ?? 0;
    const { bytes } = other.#arena;
    const index = this.#place(bytes, other.#arena.start(number), other.#arena.end(number), code);
    return (this.#slots[index] ?? 0) - 1;
  }

  /** Interns all strings of another interner; returns our number for each of its numbers. */
  absorb(other: ByteInterner): Uint32Array {
    const numbers = new Uint32Array(other.size);
    const theirs = other.#arena;
    for (let number = 0; number < other.size; number += 1) {
      const code = other.#hashes[number] ?? 0;
      numbers[number] = this.#internHashed(theirs.bytes, theirs.start(number), theirs.end(number), code);
    }
    return numbers;
  }

  #internHashed(bytes: Uint8Array, start: number, end: number, code: number): number {
    const index = this.#place(bytes, start, end, code);
    const held = (this.#slots[index] ?? 0) - 1;
    if (held >= 0) return held;
    if (this.size === this.#hashes.length) {
      this.#reserve(this.size * 2);
      return this.#internHashed(bytes, start, end, code);
    }
    const number = this.#arena.append(bytes, start, end);
    this.#slots[index] = number + 1;
    this.#hashes[number] = code;
    return number;
  }

  /** Returns the index of the string's slot, or of the free one where it belongs. */
  #place(bytes: Uint8Array, start: number, end: number, code: number): number {
    const mask = this.#slots.length - 1;
    for (let index = code & mask; ; index = (index + 1) & mask) {
      const held = (this.#slots[index] ?? 0) - 1;
      if (held < 0 || (this.#hashes[held] === code && this.#arena.holds(held, bytes, start, end)))
        return index;
    }
  }

  /** Makes room for `size` strings, keeping at least half of the slots free. */
  #reserve(size: number): void {
    let length = this.#hashes.length;
    while (length < size) length *= 2;
    if (length === this.#hashes.length) return;
    const hashes = new Uint32Array(length);
    hashes.set(this.#hashes);
    const slots = new Uint32Array(length * 2);
    const mask = slots.length - 1;
    for (let number = 0; number < this.size; number += 1) {
      let index = (hashes[number] ?? 0) & mask;
      while (slots[index] !== 0) index = (index + 1) & mask;
      slots[index] = number + 1;
    }
    this.#hashes = hashes;
    this.#slots = slots;
  }
}

export interface PackedStrings {
  readonly arena: PackedArena;
  readonly hashes: Uint32Array<ArrayBuffer>;
  readonly slots: Uint32Array<ArrayBuffer>;
}

/** Hashes four bytes at a time, with a final mix: ids differ in few bytes, and all of them must affect the low bits. */
function hash(bytes: Uint8Array, start: number, end: number): number {
  let value = end - start;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    const low = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
    const high = (bytes[at + 2] ?? 0) | ((bytes[at + 3] ?? 0) << 8);
    value = Math.imul((value ^ (value >>> 15)) + (low | (high << 16)), 0x01000193);
  }
  for (; at < end; at += 1) value = Math.imul(value ^ (bytes[at] ?? 0), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  return (value ^ (value >>> 15)) >>> 0;
}
