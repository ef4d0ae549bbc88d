import { pageSize, type Pages } from "./page.ts";

/**
 * Replaces the bytes of a database's file in sql.js, without a copy in memory. The file system of sql.js stores the
 * object that it receives as a file's content. It only calls `slice` once, when the file is created, and then `length`,
 * `subarray` and `set`. sql.js does not promise that: `paged-database.test.ts` checks it for the version we ship.
 *
 * A file must not become shorter: sql.js would then replace this object with a real array. So our databases are never
 * vacuumed in place, and SQLite must not write pages before a transaction has ended (`Database`).
 */
export class PagedBytes implements ArrayLike<number> {
  readonly [index: number]: number;
  /**
   * Bytes. Once it is a file's content, it is large enough for any write, so that sql.js creates no larger array in its
   * place.
   */
  length: number;
  readonly #pages: Pages;
  readonly #joined = new Uint8Array(64 * 1024);

  /** @param pages at least one */
  constructor(pages: Pages) {
    this.#pages = pages;
    this.length = pages.count * pageSize;
  }

  /** Makes it a file's content, without copying it. */
  slice(): this {
    this.length = Number.MAX_SAFE_INTEGER;
    return this;
  }

  /** @returns bytes that are valid until the next call */
  subarray(from: number, to: number): Uint8Array {
    const first = Math.floor(from / pageSize);
    const start = first * pageSize;
    if (to <= start + pageSize) return this.#pages.read(first).subarray(from - start, to - start);
    if (to - from > this.#joined.length) throw new Error(`SQLite asks for ${to - from} bytes at once`);
    for (let position = from; position < to;) {
      const page = Math.floor(position / pageSize);
      const part = this.#pages.read(page).subarray(position - page * pageSize, to - page * pageSize);
      this.#joined.set(part, position - from);
      position += part.length;
    }
    return this.#joined.subarray(0, to - from);
  }

  /** @param bytes whole pages, with `at` at a page's start: SQLite writes nothing else */
  set(bytes: Uint8Array, at: number): void {
    if (at % pageSize !== 0 || bytes.length % pageSize !== 0)
      throw new Error(`SQLite writes ${bytes.length} bytes at ${at}, which are not whole pages`);
    for (let done = 0; done < bytes.length; done += pageSize)
      this.#pages.write((at + done) / pageSize, bytes.subarray(done, done + pageSize));
  }
}
