import { ByteArena, type PackedArena } from "./byte-arena.ts";

/** Numbers distinct byte strings 0, 1, 2, … in the order they come. */
export class ByteInterner {
  readonly #arena = new ByteArena();
  /** Open addressing: a string's number + 1, or 0 for a free place. Its length is a power of two. */
  #places = new Uint32Array(1 << 12);
  /** By number, so that most comparisons and all growing need not look at the strings. */
  #hashes = new Uint32Array(1 << 11);

  get size(): number {
    return this.#arena.size;
  }

  /** The string's number, new or known. `guess` is the number it probably has: rows repeat what the one before said. */
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

  /** Everything, to be handed to another thread. The interner must not be used after. */
  pack(): PackedStrings {
    return { arena: this.#arena.pack(), hashes: this.#hashes };
  }

  /** Interns all of another's strings; answers our number of each of its numbers. */
  absorb({ arena, hashes }: PackedStrings): Uint32Array {
    const other = new ByteArena(arena);
    const numbers = new Uint32Array(other.size);
    this.#reserve(this.size + other.size);
    for (let number = 0; number < other.size; number += 1) {
      const code = hashes[number] ?? 0;
      numbers[number] = this.#internHashed(other.bytes, other.start(number), other.end(number), code);
    }
    return numbers;
  }

  #internHashed(bytes: Uint8Array, start: number, end: number, code: number): number {
    const mask = this.#places.length - 1;
    let place = code & mask;
    for (;;) {
      const held = (this.#places[place] ?? 0) - 1;
      if (held < 0) break;
      if (this.#hashes[held] === code && this.#arena.holds(held, bytes, start, end)) return held;
      place = (place + 1) & mask;
    }
    if (this.size === this.#hashes.length) {
      this.#reserve(this.size * 2);
      return this.#internHashed(bytes, start, end, code);
    }
    const number = this.#arena.append(bytes, start, end);
    this.#places[place] = number + 1;
    this.#hashes[number] = code;
    return number;
  }

  /** Makes room for `size` strings, with at least every second place free. */
  #reserve(size: number): void {
    let length = this.#hashes.length;
    while (length < size) length *= 2;
    if (length === this.#hashes.length) return;
    const hashes = new Uint32Array(length);
    hashes.set(this.#hashes);
    const places = new Uint32Array(length * 2);
    const mask = places.length - 1;
    for (let number = 0; number < this.size; number += 1) {
      let place = (hashes[number] ?? 0) & mask;
      while (places[place] !== 0) place = (place + 1) & mask;
      places[place] = number + 1;
    }
    this.#hashes = hashes;
    this.#places = places;
  }
}

export interface PackedStrings {
  readonly arena: PackedArena;
  readonly hashes: Uint32Array<ArrayBuffer>;
}

/** Four bytes at a time, with a final mix: ids differ in few bytes, and the low bits must feel all of them. */
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
