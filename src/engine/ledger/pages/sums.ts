import { crc32 } from "node:zlib";

/**
 * The CRC-32 of each page of a file: damage is found without trusting anything in the file. On disk: the header (magic,
 * generation of the content, number of pages, and a checksum of everything after it), then one checksum per page,
 * little-endian.
 */
const magic = "purser page sums 1\n\n";
const headerLength = magic.length + 8 + 2 * 4;

export class PageSums {
  /** Rises by one with each change of the file's content. */
  readonly generation: number;
  #sums: Uint32Array;
  #count: number;

  constructor(generation = 0, sums = new Uint32Array(0)) {
    this.generation = generation;
    this.#sums = sums;
    this.#count = sums.length;
  }

  get count(): number {
    return this.#count;
  }

  of(page: number): number {
    return this.#sums[page] ?? 0;
  }

  set(page: number, sum: number): void {
    if (page >= this.#sums.length) {
      const longer = new Uint32Array(Math.max(page + 1, Math.ceil(this.#sums.length * 1.5)));
      longer.set(this.#sums);
      this.#sums = longer;
    }
    this.#sums[page] = sum;
    this.#count = Math.max(this.#count, page + 1);
  }

  /** The sums of the next content, which differs in some pages. */
  after(changed: Iterable<readonly [page: number, sum: number]>): PageSums {
    const next = new PageSums(this.generation + 1, this.#sums.slice(0, this.#count));
    for (const [page, sum] of changed) next.set(page, sum);
    return next;
  }

  encoded(): Buffer {
    const table = Buffer.alloc(this.#count * 4);
    for (let page = 0; page < this.#count; page += 1) table.writeUInt32LE(this.of(page), page * 4);
    const header = Buffer.alloc(headerLength);
    header.write(magic, "latin1");
    header.writeDoubleLE(this.generation, magic.length);
    header.writeUInt32LE(this.#count, magic.length + 8);
    header.writeUInt32LE(crc32(table, crc32(header.subarray(0, headerLength - 4))), headerLength - 4);
    return Buffer.concat([header, table]);
  }

  /** Null for damaged bytes. */
  static decoded(bytes: Buffer): PageSums | null {
    if (bytes.length < headerLength || bytes.toString("latin1", 0, magic.length) !== magic) return null;
    const table = bytes.subarray(headerLength);
    const count = bytes.readUInt32LE(magic.length + 8);
    const sum = crc32(table, crc32(bytes.subarray(0, headerLength - 4)));
    if (table.length !== count * 4 || bytes.readUInt32LE(headerLength - 4) !== sum) return null;
    const sums = new Uint32Array(count);
    for (let page = 0; page < count; page += 1) sums[page] = table.readUInt32LE(page * 4);
    return new PageSums(bytes.readDoubleLE(magic.length), sums);
  }
}
