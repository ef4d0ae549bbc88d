import type { Disposable } from "../../engine/base/disposable.ts";

/** A job that asks for something: one at a time, and only the latest counts. */
export class LatestAsk implements Disposable {
  readonly #job: (signal: AbortSignal) => Promise<void>;
  readonly #interval: number;
  #running: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isWanted = false;
  #isDisposed = false;

  /** @param interval milliseconds between the end of one and the beginning of the next that `soon` asks for */
  constructor(interval: number, job: (signal: AbortSignal) => Promise<void>) {
    this.#interval = interval;
    this.#job = job;
  }

  /** At once; what still runs is given up. */
  now(): void {
    if (this.#isDisposed) return;
    this.stop();
    const running = new AbortController();
    this.#running = running;
    void this.#job(running.signal).finally(() => {
      if (this.#running === running) this.#rest();
    });
  }

  /** When what runs has ended and the interval is over. However often it is asked for, once. */
  soon(): void {
    if (this.#running === undefined && this.#timer === undefined) this.now();
    else this.#isWanted = true;
  }

  /** Gives up what runs and what is wanted. */
  stop(): void {
    this.#running?.abort();
    this.#running = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isWanted = false;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.stop();
  }

  #rest(): void {
    this.#running = undefined;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#isWanted) this.now();
    }, this.#interval);
  }
}
