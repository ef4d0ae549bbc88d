import type { Disposable } from "../disposable.ts";

/**
 * Runs a job at once, then at most every `interval` milliseconds while it keeps being asked for. The last request is
 * never lost, unless the throttle is disposed; then it runs nothing any more. A job that found nothing to do says so, and
 * the next request need not wait for it.
 */
export class Throttle implements Disposable {
  readonly #job: () => boolean;
  readonly #interval: number;
  #timer: NodeJS.Timeout | undefined;
  #asked = false;
  #disposed = false;

  /** @param job answers whether it did anything */
  constructor(interval: number, job: () => boolean) {
    this.#interval = interval;
    this.#job = job;
  }

  request(): void {
    if (this.#disposed) return;
    if (this.#timer === undefined) this.#run();
    else this.#asked = true;
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
  }

  #run(): void {
    this.#asked = false;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#asked) this.#run();
    }, this.#interval);
    if (!this.#job()) this.#rest();
  }

  /** What the job itself asked for still waits for the interval's end, or it could ask for ever. */
  #rest(): void {
    if (this.#asked) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
