import type { Disposable } from "./disposable.ts";

/**
 * Runs a job at once, then at most every `interval` milliseconds while it keeps being asked for. The last request is
 * never lost.
 */
export class Throttle implements Disposable {
  readonly #job: () => void;
  readonly #interval: number;
  #timer: NodeJS.Timeout | undefined;
  #asked = false;

  constructor(interval: number, job: () => void) {
    this.#interval = interval;
    this.#job = job;
  }

  request(): void {
    if (this.#timer === undefined) this.#run();
    else this.#asked = true;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#asked = false;
  }

  #run(): void {
    this.#asked = false;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#asked) this.#run();
    }, this.#interval);
    this.#job();
  }
}
