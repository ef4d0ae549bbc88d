/** Bits of the filter: half a megabyte, with which one new id of a hundred among half a million looks known. */
const bits = 1 << 22;

/** Remembers ids in little space: one that was added is always known, another hardly ever (a Bloom filter). */
export class IdFilter {
  readonly #words = new Uint32Array(bits / 32);

  /** Adds an id. @returns whether it may have been added before */
  add(id: string): boolean {
    let hash = 0x811c9dc5;
    for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
    // A second, independent place: a multiplication moves no higher bits down.
    const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    const isKnown = this.#set(mixed ^ (mixed >>> 12));
    return this.#set(Math.imul(mixed, 0x297a2d39) >>> 9) && isKnown;
  }

  #set(place: number): boolean {
    const index = (place & (bits - 1)) >>> 5;
    const bit = 1 << (place & 31);
    const word = this.#words[index] ?? 0;
    this.#words[index] = word | bit;
    return (word & bit) !== 0;
  }
}
