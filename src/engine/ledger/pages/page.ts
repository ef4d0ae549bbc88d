/** The page size of every sql.js database. Bytes. */
export const pageSize = 4096;

/** A database's content by pages, starting at 0. */
export interface Pages {
  /** The number of pages. */
  readonly count: number;
  /** @returns a page's bytes, valid until the next call */
  read(page: number): Uint8Array;
  write(page: number, bytes: Uint8Array): void;
}
