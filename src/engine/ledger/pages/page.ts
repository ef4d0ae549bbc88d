/** What sql.js makes every database of. Bytes. */
export const pageSize = 4096;

/** A database's content by pages, the first being 0. */
export interface Pages {
  /** How many there are. */
  readonly count: number;
  /** @returns a page's bytes, which hold until the next call */
  read(page: number): Uint8Array;
  write(page: number, bytes: Uint8Array): void;
}
