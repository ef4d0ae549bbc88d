import { type RandomFile } from "./random-file.ts";
import { pageSize, type Pages } from "../store/database.ts";
import type { PageLog } from "./change-log.ts";

/** Pages whose memory is allocated together. */
const slabPages = 64;

export class PageOverlay {
  /** The index of each page in the slabs. */
  readonly #positions = new Map<number, number>();
  #slabs: Uint8Array[] = [];

  get count(): number {
    return this.#positions.size;
  }

  /** @returns the overlay's own bytes of a page, or undefined */
  get(page: number): Uint8Array | undefined {
    const position = this.#positions.get(page);
    return position === undefined ? undefined : this.#at(position);
  }

  set(page: number, bytes: Uint8Array): void {
    let position = this.#positions.get(page);
    if (position === undefined) this.#positions.set(page, (position = this.#positions.size));
    this.#at(position).set(bytes);
  }

  *entries(): Generator<readonly [page: number, bytes: Uint8Array]> {
    for (const [page, index] of this.#positions) yield [page, this.#at(index)];
  }

  /** Removes all pages but keeps their memory for reuse. */
  clear(): void {
    this.#positions.clear();
  }

  /** Frees the memory too. */
  release(): void {
    this.clear();
    this.#slabs = [];
  }

  #at(index: number): Uint8Array {
    const number = Math.floor(index / slabPages);
    const slab = (this.#slabs[number] ??= new Uint8Array(slabPages * pageSize));
    const start = (index % slabPages) * pageSize;
    return slab.subarray(start, start + pageSize);
  }
}

/** Maximum changed pages in memory when there is a log for more. 4 MiB. */
const maxInMemory = 1024;

/**
 * The pages of a file and the changes made since: a few in memory, the rest in a log. The file itself is not written
 * here: from time to time `WorkingFile` writes all changes at once.
 */
export class PagedFile implements Pages {
  count: number;
  #file: RandomFile | null;
  readonly #changed = new PageOverlay();
  /** Takes the pages that do not fit into memory; without a log all of them stay in memory. */
  #log: PageLog | null = null;
  /** The log being written into the file. */
  #frozen: PageLog | null = null;
  readonly #scratch = new Uint8Array(pageSize);

  /** @param file null starts without pages */
  constructor(file: RandomFile | null) {
    this.#file = file;
    this.count = file === null ? 0 : Math.floor(file.size() / pageSize);
  }

  /** Pages changed since the last freeze; a page both in memory and in the log counts twice. */
  get changed(): number {
    return this.#changed.count + (this.#log?.count ?? 0);
  }

  read(page: number): Uint8Array {
    const changed = this.#changed.get(page);
    if (changed !== undefined) return changed;
    const scratch = this.#scratch;
    if (this.#log?.read(page, scratch) === true || this.#frozen?.read(page, scratch) === true) return scratch;
    return readPage(this.#file, page, scratch);
  }

  write(page: number, bytes: Uint8Array): void {
    this.#changed.set(page, bytes);
    this.count = Math.max(this.count, page + 1);
    if (this.#log !== null && this.#changed.count >= maxInMemory) this.#unload(this.#log);
  }

  /** The log for pages that do not fit into memory, or null if there is none yet. */
  get log(): PageLog | null {
    return this.#log;
  }

  logTo(log: PageLog): void {
    this.#log = log;
  }

  /**
   * Separates the changes so far from later ones. Only one set can be frozen at a time.
   *
   * @param next the log for later changes
   * @returns the log of the changes so far, and a view of all pages at this moment
   */
  freeze(next: PageLog): { readonly log: PageLog; readonly view: Pick<Pages, "count" | "read"> } {
    const [log, file, { count }] = [this.#log, this.#file, this];
    if (log === null || this.#frozen !== null) throw new Error("there is nothing to freeze, or it is frozen");
    this.#unload(log);
    this.#changed.release();
    this.#frozen = log;
    this.#log = next;
    const scratch = new Uint8Array(pageSize);
    const read = (page: number) => (log.read(page, scratch) ? scratch : readPage(file, page, scratch));
    return { log, view: { count, read } };
  }

  /** The frozen changes have been written into the file. @param file replaces the previous one */
  settle(file: RandomFile | null = this.#file): void {
    this.#file = file;
    this.#frozen = null;
  }

  /** The frozen changes could not be written: they count as changed again. */
  thaw(): void {
    const [frozen, log] = [this.#frozen, this.#log];
    this.#frozen = null;
    if (frozen === null || log === null) return;
    const scratch = new Uint8Array(pageSize);
    for (const page of frozen.pages())
      if (!log.has(page) && frozen.read(page, scratch)) log.take([[page, scratch]]);
  }

  #unload(log: PageLog): void {
    log.take(this.#changed.entries());
    this.#changed.clear();
  }
}

/** Bytes beyond a file's end are zeros. */
function readPage(file: RandomFile | null, page: number, into: Uint8Array): Uint8Array {
  const length = file?.readNow(into, page * pageSize) ?? 0;
  return length < pageSize ? into.fill(0, length) : into;
}
