import { pageSize } from "./page.ts";

/** Pages whose memory is allocated together. */
const slabPages = 64;

/** Changed pages in memory. */
export class PageOverlay {
  /** The index of each page in the slabs. */
  readonly #places = new Map<number, number>();
  #slabs: Uint8Array[] = [];

  /** How many pages it holds. */
  get count(): number {
    return this.#places.size;
  }

  /** @returns the overlay's own bytes of a page, or undefined */
  get(page: number): Uint8Array | undefined {
    const place = this.#places.get(page);
    return place === undefined ? undefined : this.#at(place);
  }

  set(page: number, bytes: Uint8Array): void {
    let place = this.#places.get(page);
    if (place === undefined) this.#places.set(page, (place = this.#places.size));
    this.#at(place).set(bytes);
  }

  *entries(): Generator<readonly [page: number, bytes: Uint8Array]> {
    for (const [page, place] of this.#places) yield [page, this.#at(place)];
  }

  /** Removes all pages but keeps their memory for reuse. */
  clear(): void {
    this.#places.clear();
  }

  /** Frees the memory too. */
  release(): void {
    this.clear();
    this.#slabs = [];
  }

  #at(place: number): Uint8Array {
    const number = Math.floor(place / slabPages);
    const slab = (this.#slabs[number] ??= new Uint8Array(slabPages * pageSize));
    const start = (place % slabPages) * pageSize;
    return slab.subarray(start, start + pageSize);
  }
}
