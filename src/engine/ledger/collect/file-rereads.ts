import * as z from "zod";
import { createHash } from "node:crypto";

/** More files than this in one run, and nobody knows how many were read again. */
const most = 500;

/** The files' keys: those read once, and those read more often. Null when there were too many. */
export const rereadsState = z.object({ once: z.array(z.string()), again: z.array(z.string()) }).nullable();
export type RereadsState = z.infer<typeof rereadsState>;

/** Counts the files that a run read more than once. */
export class FileRereads {
  #once = new Set<string>();
  #again = new Set<string>();
  #isKnown: boolean;

  constructor(state: RereadsState | undefined) {
    this.#isKnown = state !== null;
    for (const key of state?.once ?? []) this.#once.add(key);
    for (const key of state?.again ?? []) this.#again.add(key);
  }

  /** Files read at least twice, or null when nobody knows. */
  get count(): number | null {
    return this.#isKnown ? this.#again.size : null;
  }

  read(path: string): void {
    if (!this.#isKnown) return;
    const key = createHash("sha256").update(path).digest("base64url").slice(0, 10);
    if (this.#once.delete(key)) this.#again.add(key);
    else if (!this.#again.has(key)) this.#once.add(key);
    if (this.#once.size + this.#again.size > most) this.#isKnown = false;
  }

  restart(): void {
    this.#once = new Set();
    this.#again = new Set();
    this.#isKnown = true;
  }

  state(): RereadsState {
    return this.#isKnown ? { once: [...this.#once], again: [...this.#again] } : null;
  }
}
