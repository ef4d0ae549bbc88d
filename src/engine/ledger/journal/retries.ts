import type { Clock } from "../../base/timing.ts";
import type { Disposable } from "../../base/events.ts";

/** Milliseconds. */
const pauses = [100, 1000, 5000, 30_000, 120_000];
/**
 * A failure this long after the last success starts the count of attempts again. Milliseconds.
 */
const wellAfter = 10 * 60_000;

/** Retries something after growing pauses. */
export class Retries implements Disposable {
  readonly #clock: Clock;
  #timer: NodeJS.Timeout | undefined;
  #attempts = 0;
  /** Consecutive failures of a job that is retried for ever. */
  #turns = 0;
  #succeededAt = Infinity;
  #isOver = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Records a success.
   * @param isWhole whether nothing is left to retry
   */
  succeeded(isWhole: boolean): void {
    this.#succeededAt = this.#clock.now();
    if (isWhole) this.#turns = 0;
  }

  /** Runs a job after a pause; returns the pause in milliseconds, or null where it will not run: after too many attempts. */
  later(job: () => void): number | null {
    if (this.#clock.now() - this.#succeededAt > wellAfter) this.#attempts = 0;
    this.#attempts += 1;
    return this.#after(pauses[this.#attempts - 1], job);
  }

  /** Runs a job after a pause, however often it was tried: the last pause is repeated. Returns the pause; null after `dispose`. */
  keepOn(job: () => void): number | null {
    this.#turns += 1;
    return this.#after(pauses[this.#turns - 1] ?? pauses.at(-1), job);
  }

  dispose(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #after(pause: number | undefined, job: () => void): number | null {
    if (this.#isOver || pause === undefined) return null;
    this.#timer = setTimeout(job, pause);
    return pause;
  }
}
