import { pageSize } from "./page.ts";

/** Pages whose memory is allocated together. */
const slabPages = 64;

/** Changed pages in memory. */
export class PageOverlay {
  /** The index of each page in the slabs. */
  readonly #positions = new Map<number, number>();
  #slabs: Uint8Array[] = [];

  /** How many pages it holds. */
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
