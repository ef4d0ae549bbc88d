import { sha256Base64Url } from "../../base/hash.ts";
import * as z from "zod/mini";

/** Maximum files tracked per run; beyond it the count is a lower bound. */
const maxFiles = 1000;

/** Keys of the files read once, and of those read more often. */
export const rereadsState = z.object({ once: z.array(z.string()), again: z.array(z.string()) });
export type RereadsState = z.infer<typeof rereadsState>;

/** Counts the files that a run read more than once. */
export class FileRereads {
  readonly #once: Set<string>;
  readonly #again: Set<string>;

  constructor(state: RereadsState | null) {
    this.#once = new Set(state?.once);
    this.#again = new Set(state?.again);
  }

  /** Files read at least twice. */
  get count(): number {
    return this.#again.size;
  }

  read(path: string): void {
    const key = sha256Base64Url(path, 10);
    if (this.#once.delete(key)) this.#again.add(key);
    else if (!this.#again.has(key) && this.#once.size + this.#again.size < maxFiles) this.#once.add(key);
  }

  restart(): void {
    this.#once.clear();
    this.#again.clear();
  }

  state(): RereadsState {
    return { once: [...this.#once], again: [...this.#again] };
  }
}
