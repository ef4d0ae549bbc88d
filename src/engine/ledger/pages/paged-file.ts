import type { RandomFile } from "../../base/disk/random-file.ts";
import { PageOverlay } from "./overlay.ts";
import type { PageLog } from "./change-log.ts";
import { pageSize, type Pages } from "./page.ts";

/** Changed pages that are kept in memory where there is a log for more. 4 MiB. */
const mostInMemory = 1024;

/**
 * The pages of a file, with what changed since: in memory as far as it is little, else in a log. The file itself is not written here
 * (`WorkingFile` does that, now and then, with everything that changed at once).
 */
export class PagedFile implements Pages {
  count: number;
  #file: RandomFile | null;
  readonly #changed = new PageOverlay();
  /** Takes what is too much for memory; without one it all stays there. */
  #log: PageLog | null = null;
  /** What is being written into the file. */
  #frozen: PageLog | null = null;
  readonly #scratch = new Uint8Array(pageSize);

  /** @param file null begins with no pages */
  constructor(file: RandomFile | null) {
    this.#file = file;
    this.count = file === null ? 0 : Math.floor(file.size() / pageSize);
  }

  /** Pages that changed since they were last frozen; one that is in memory and in the log counts twice. */
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
    if (this.#log !== null && this.#changed.count >= mostInMemory) this.#unload(this.#log);
  }

  /** Where what is too much for memory goes; null where there is nothing for it yet. */
  get log(): PageLog | null {
    return this.#log;
  }

  logTo(log: PageLog): void {
    this.#log = log;
  }

  /**
   * Parts what changed so far from what changes from now on. Only one part is frozen at a time.
   *
   * @param next the log of what changes from now on
   * @returns what changed, and all pages as they are now
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

  /** What was frozen is in the file now. @param file in the place of the one before */
  settle(file: RandomFile | null = this.#file): void {
    this.#file = file;
    this.#frozen = null;
  }

  /** What was frozen could not be written: it counts as changed again. */
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

/** Zeros are what is beyond a file's end. */
function readPage(file: RandomFile | null, page: number, into: Uint8Array): Uint8Array {
  const length = file?.readNow(into, page * pageSize) ?? 0;
  return length < pageSize ? into.fill(0, length) : into;
}
