import { crc32 } from "node:zlib";
import { type RandomFile } from "./random-file.ts";
import { pageSize } from "../store/database.ts";

/**
 * A log of changed pages. It holds the pages that do not fit into memory and, once sealed, the next content of a file.
 * Its first page is its header, the changed pages follow in the order of their arrival, and after them the index: the
 * number and CRC-32 of each. The header names the generation of the file's content after the log is written into it.
 * Everything in it is little-endian.
 */
const magic = "purser pages 1\n\n";
const headerLength = magic.length + 8 + 3 * 4;
/** Bytes per page in the index. */
const indexEntry = 8;

export class PageLog {
  readonly path: string;
  readonly #file: RandomFile;
  /** By page: its index among the log's pages, and its checksum. */
  readonly #positions = new Map<number, number>();
  readonly #sums = new Map<number, number>();

  /** @param path of the file @param file an empty one */
  constructor(path: string, file: RandomFile) {
    this.path = path;
    this.#file = file;
  }

  get count(): number {
    return this.#positions.size;
  }

  /** The numbers of its pages, ascending. */
  pages(): number[] {
    return [...this.#positions.keys()].sort((one, other) => one - other);
  }

  has(page: number): boolean {
    return this.#positions.has(page);
  }

  sumOf(page: number): number {
    return this.#sums.get(page) ?? 0;
  }

  /** Fills `into` with a page. @returns whether the log has the page */
  read(page: number, into: Uint8Array): boolean {
    const position = this.#positions.get(page);
    if (position === undefined) return false;
    this.#file.readNow(into, (1 + position) * pageSize);
    return true;
  }

  /** Adds pages, or replaces those with the same numbers. Only before it is sealed. */
  take(pages: Iterable<readonly [page: number, bytes: Uint8Array]>): void {
    for (const [page, bytes] of pages) {
      const position = this.#positions.get(page) ?? this.#positions.size;
      this.#file.writeNow(bytes, (1 + position) * pageSize);
      this.#positions.set(page, position);
      this.#sums.set(page, crc32(bytes));
    }
  }

  /** Writes the index and header; resolves when all of it is on the disk. */
  async seal(generation: number): Promise<void> {
    const index = Buffer.alloc(this.count * indexEntry);
    for (const [page, position] of this.#positions) {
      index.writeUInt32LE(page, position * indexEntry);
      index.writeUInt32LE(this.sumOf(page), position * indexEntry + 4);
    }
    await this.#file.write(index, (1 + this.count) * pageSize);
    await this.#file.write(headerOf(generation, this.count, crc32(index)), 0);
    await this.#file.flush();
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

function headerOf(generation: number, count: number, indexSum: number): Buffer {
  const header = Buffer.alloc(headerLength);
  header.write(magic, "latin1");
  header.writeDoubleLE(generation, magic.length);
  header.writeUInt32LE(count, magic.length + 8);
  header.writeUInt32LE(indexSum, magic.length + 12);
  header.writeUInt32LE(crc32(header.subarray(0, headerLength - 4)), headerLength - 4);
  return header;
}

/** The part of a log that is needed to write it into a file. */
export interface LoggedPages {
  /** The numbers of its pages, ascending. */
  pages(): number[];
  sumOf(page: number): number;
  /** Fills `into` with one of its pages. */
  read(page: number, into: Uint8Array): boolean;
}

export interface SealedLog extends LoggedPages {
  readonly generation: number;
}

/** Reads a log and checks every page; null if it is incomplete or damaged. */
export function openLog(file: RandomFile): SealedLog | null {
  const header = Buffer.alloc(headerLength);
  const isWhole = file.readNow(header, 0) === headerLength;
  if (!isWhole || header.toString("latin1", 0, magic.length) !== magic) return null;
  if (header.readUInt32LE(headerLength - 4) !== crc32(header.subarray(0, headerLength - 4))) return null;
  const generation = header.readDoubleLE(magic.length);
  const count = header.readUInt32LE(magic.length + 8);
  if (file.size() < (1 + count) * pageSize + count * indexEntry) return null;
  const index = Buffer.alloc(count * indexEntry);
  if (
    file.readNow(index, (1 + count) * pageSize) < index.length ||
    crc32(index) !== header.readUInt32LE(magic.length + 12)
  )
    return null;
  const positions = new Map<number, number>();
  const sums = new Map<number, number>();
  const scratch = new Uint8Array(pageSize);
  for (let position = 0; position < count; position += 1) {
    const [page, sum] = [
      index.readUInt32LE(position * indexEntry),
      index.readUInt32LE(position * indexEntry + 4),
    ];
    file.readNow(scratch, (1 + position) * pageSize);
    if (crc32(scratch) !== sum) return null;
    positions.set(page, position);
    sums.set(page, sum);
  }
  return {
    generation,
    pages: () => [...positions.keys()].sort((one, other) => one - other),
    sumOf: (page) => sums.get(page) ?? 0,
    read(page, into) {
      const position = positions.get(page);
      if (position !== undefined) file.readNow(into, (1 + position) * pageSize);
      return position !== undefined;
    },
  };
}
