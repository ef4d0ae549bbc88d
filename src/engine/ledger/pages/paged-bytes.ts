import { pageSize, type Pages } from "./page.ts";

/**
 * What sql.js takes for the bytes of a database's file, without a copy of them in memory. Its file system keeps whatever it is handed as
 * a file's content, and asks nothing of it but `slice` once, when the file is made, and then `length`, `subarray` and `set`. That is no
 * promise of sql.js: `paged-database.test.ts` holds the version we ship to it.
 *
 * A file must not become shorter: sql.js would then make a real array of it. So no database of ours is vacuumed in place, and SQLite is
 * not to write pages before a transaction is over (`Database`).
 */
export class PagedBytes implements ArrayLike<number> {
  readonly [index: number]: number;
  /** Bytes, until it is a file's content; from then on enough for any write, so that nothing larger is made in its place. */
  length: number;
  readonly #pages: Pages;
  readonly #joined = new Uint8Array(64 * 1024);

  /** @param pages one at least */
  constructor(pages: Pages) {
    this.#pages = pages;
    this.length = pages.count * pageSize;
  }

  /** Makes it a file's content: it is not copied for that. */
  slice(): this {
    this.length = Number.MAX_SAFE_INTEGER;
    return this;
  }

  /** @returns bytes that hold until the next call */
  subarray(from: number, to: number): Uint8Array {
    const first = Math.floor(from / pageSize);
    const start = first * pageSize;
    if (to <= start + pageSize) return this.#pages.read(first).subarray(from - start, to - start);
    if (to - from > this.#joined.length) throw new Error(`SQLite asks for ${to - from} bytes at once`);
    for (let place = from; place < to;) {
      const page = Math.floor(place / pageSize);
      const part = this.#pages.read(page).subarray(place - page * pageSize, to - page * pageSize);
      this.#joined.set(part, place - from);
      place += part.length;
    }
    return this.#joined.subarray(0, to - from);
  }

  /** @param bytes whole pages at a page's place: SQLite writes no others */
  set(bytes: Uint8Array, at: number): void {
    if (at % pageSize !== 0 || bytes.length % pageSize !== 0)
      throw new Error(`SQLite writes ${bytes.length} bytes at ${at}, which are no pages`);
    for (let done = 0; done < bytes.length; done += pageSize)
      this.#pages.write((at + done) / pageSize, bytes.subarray(done, done + pageSize));
  }
}
