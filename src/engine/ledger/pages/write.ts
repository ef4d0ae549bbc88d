import { crc32 } from "node:zlib";
import { type RandomFile } from "./random-file.ts";
import { pageSize, type Pages } from "../store/database.ts";
import type { LoggedPages } from "./change-log.ts";
import type { PageSums } from "./sums.ts";

/** Pages read or written at once. 1 MiB. */
const atOnce = 256;

/** Writes the pages of a log into a file, adjacent ones together. Does not flush. */
export async function writeLogged(log: LoggedPages, file: RandomFile): Promise<void> {
  const piece = new Uint8Array(atOnce * pageSize);
  let [first, count] = [0, 0];
  const write = async () => {
    if (count > 0) await file.write(piece.subarray(0, count * pageSize), first * pageSize);
    count = 0;
  };
  for (const page of log.pages()) {
    if (page !== first + count || count === atOnce) {
      await write();
      first = page;
    }
    log.read(page, piece.subarray(count * pageSize, (count + 1) * pageSize));
    count += 1;
  }
  await write();
}

/** Writes all pages into an empty file and stores their sums. Does not flush. */
export async function writeAll(
  pages: Pick<Pages, "count" | "read">,
  file: RandomFile,
  sums: PageSums,
): Promise<void> {
  const piece = new Uint8Array(atOnce * pageSize);
  const { count } = pages;
  for (let first = 0; first < count; first += atOnce) {
    const part = piece.subarray(0, Math.min(atOnce, count - first) * pageSize);
    for (let page = first; (page - first) * pageSize < part.length; page += 1) {
      const bytes = pages.read(page);
      part.set(bytes, (page - first) * pageSize);
      sums.set(page, crc32(bytes));
    }
    await file.write(part, first * pageSize);
  }
}

/**
 * Reads a whole file in pieces.
 *
 * @param sums null if the sums of its pages are unknown
 * @returns the number of the first damaged page, or null
 */
export async function readAll(
  file: RandomFile,
  sums: PageSums | null,
  visit: (piece: Uint8Array, position: number) => void | Promise<void> = () => undefined,
): Promise<number | null> {
  const piece = new Uint8Array(atOnce * pageSize);
  for (let position = 0; ; position += piece.length) {
    const read = file.readNow(piece, position);
    for (let start = 0; sums !== null && start < read; start += pageSize) {
      const page = (position + start) / pageSize;
      if (page >= sums.count || crc32(piece.subarray(start, start + pageSize)) !== sums.of(page)) return page;
    }
    if (read > 0) await visit(piece.subarray(0, read), position);
    if (read < piece.length)
      return sums !== null && position + read < sums.count * pageSize
        ? Math.floor((position + read) / pageSize)
        : null;
  }
}

export function* piecesOf(file: RandomFile): Generator<Uint8Array> {
  const piece = new Uint8Array(atOnce * pageSize);
  for (let position = 0; ; position += piece.length) {
    const read = file.readNow(piece, position);
    if (read > 0) yield piece.slice(0, read);
    if (read < piece.length) return;
  }
}

export function* bytesOf(pages: Pick<Pages, "count" | "read">): Generator<Uint8Array> {
  for (let first = 0; first < pages.count; first += atOnce) {
    const piece = new Uint8Array(Math.min(atOnce, pages.count - first) * pageSize);
    for (let page = first; (page - first) * pageSize < piece.length; page += 1)
      piece.set(pages.read(page), (page - first) * pageSize);
    yield piece;
  }
}
