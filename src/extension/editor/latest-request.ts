import type { Disposable } from "../../engine/base/events.ts";

/** An asynchronous job that runs one at a time, of which only the latest run counts. */
export class LatestRequest implements Disposable {
  readonly #job: (signal: AbortSignal) => Promise<void>;
  readonly #interval: number;
  #running: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isWanted = false;
  #isDisposed = false;

  /**
   * @param interval milliseconds between the end of a run and the start of the next one requested by `soon`
   */
  constructor(interval: number, job: (signal: AbortSignal) => Promise<void>) {
    this.#interval = interval;
    this.#job = job;
  }

  /** Runs at once, aborting the current run. */
  now(): void {
    if (this.#isDisposed) return;
    this.stop();
    const running = new AbortController();
    this.#running = running;
    void this.#job(running.signal).finally(() => {
      if (this.#running === running) this.#rest();
    });
  }

  /** Runs after the current run and the interval. Repeated requests result in one run. */
  soon(): void {
    if (this.#running === undefined && this.#timer === undefined) this.now();
    else this.#isWanted = true;
  }

  /** @param isAtOnce runs now; else soon */
  again(isAtOnce: boolean): void {
    if (isAtOnce) this.now();
    else this.soon();
  }

  /** Aborts the current run and cancels the requested one. */
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
