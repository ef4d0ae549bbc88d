import type { RandomFile } from "./random-file.ts";
import { pageSize, type Pages } from "./page.ts";

/** The pages of a file that no other code uses yet: changes are written to it immediately. */
export class FilePages implements Pages {
  count: number;
  readonly #file: RandomFile;
  readonly #scratch = new Uint8Array(pageSize);

  constructor(file: RandomFile) {
    this.#file = file;
    this.count = Math.floor(file.size() / pageSize);
  }

  read(page: number): Uint8Array {
    const length = this.#file.readNow(this.#scratch, page * pageSize);
    return this.#scratch.fill(0, length);
  }

  write(page: number, bytes: Uint8Array): void {
    this.#file.writeNow(bytes, page * pageSize);
    this.count = Math.max(this.count, page + 1);
  }
}
