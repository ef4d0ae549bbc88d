import type { Disposable } from "../events.ts";

/**
 * Runs a job at once, then at most every `interval` milliseconds while requests keep coming. The last request is never
 * lost, unless the throttle is disposed; then nothing runs any more. A job that found nothing to do returns false, and
 * the next request need not wait.
 */
export class Throttle implements Disposable {
  readonly #job: () => boolean;
  readonly #interval: number;
  #timer: NodeJS.Timeout | undefined;
  #asked = false;
  #disposed = false;

  /** @param job returns whether it did anything */
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

  /**
   * Ends the pause early. A request made by the job itself still waits for the interval's end, or it could repeat for
   * ever.
   */
  #rest(): void {
    if (this.#asked) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
