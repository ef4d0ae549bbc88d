import type { Disposable } from "../disposable.ts";

/**
 * Debounces a job: runs it once requests have paused for a while, or have gone on for
 * too long.
 */
export class Debounce implements Disposable {
  readonly #limits: { readonly quiet: number; readonly most: number };
  readonly #job: () => void;
  #quiet: NodeJS.Timeout | undefined;
  #most: NodeJS.Timeout | undefined;

  /**
   * @param limits delay after the last request, and at most after the first;
   * milliseconds
   */
  constructor(limits: { quiet: number; most: number }, job: () => void) {
    this.#limits = limits;
    this.#job = job;
  }

  ask(): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#run(), this.#limits.quiet);
    this.#most ??= setTimeout(() => this.#run(), this.#limits.most);
  }

  dispose(): void {
    clearTimeout(this.#quiet);
    clearTimeout(this.#most);
    this.#most = undefined;
  }

  #run(): void {
    this.dispose();
    this.#job();
  }
}
