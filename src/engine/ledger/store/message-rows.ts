/** Slots at first; a power of two. */
const fewest = 1 << 16;
/** With more rows than this, an index of the table takes less memory. */
const most = 400_000;

/**
 * Finds the rows of responses by message while a ledger is filled from the start, in place of an index. Rows have the
 * numbers in which they were added, from 1 on. It remembers hashes only: a row found may be another message's.
 */
export class MessageRows {
  /** By slot: a message's hash, and its row; 0 marks a free slot. */
  #hashes = new Int32Array(fewest);
  #rows = new Int32Array(fewest);
  #count = 0;

  /** How many rows were added. */
  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count >= most;
  }

  /** Notes the next row. */
  add(message: string): void {
    this.#count += 1;
    if (2 * this.#count > this.#rows.length) this.#grow();
    this.#put(hashOf(message), this.#count);
  }

  /** The rows of a message, and perhaps others, ascending. */
  of(message: string): number[] {
    const hash = hashOf(message);
    const found: number[] = [];
    const last = this.#rows.length - 1;
    for (let slot = hash & last; ; slot = (slot + 1) & last) {
      const row = this.#rows[slot] ?? 0;
      if (row === 0) return found.sort((one, other) => one - other);
      if (this.#hashes[slot] === hash) found.push(row);
    }
  }

  #put(hash: number, row: number): void {
    const last = this.#rows.length - 1;
    let slot = hash & last;
    while (this.#rows[slot] !== 0) slot = (slot + 1) & last;
    this.#hashes[slot] = hash;
    this.#rows[slot] = row;
  }

  #grow(): void {
    const [hashes, rows] = [this.#hashes, this.#rows];
    this.#hashes = new Int32Array(2 * hashes.length);
    this.#rows = new Int32Array(2 * rows.length);
    for (let slot = 0; slot < rows.length; slot += 1)
      if (rows[slot] !== 0) this.#put(hashes[slot] ?? 0, rows[slot] ?? 0);
  }
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 12);
}
