import type { Clock } from "./clock.ts";
import type { Disposable } from "../disposable.ts";

/** Milliseconds. */
const pauses = [100, 1000, 5000, 30_000, 120_000];
/** After having been well for so long, failures are counted anew. Milliseconds. */
const wellAfter = 10 * 60_000;

/** Tries something again after growing pauses. */
export class Retries implements Disposable {
  readonly #clock: Clock;
  #timer: NodeJS.Timeout | undefined;
  #attempts = 0;
  /** Tries that came to nothing, one after the other, of what is kept on trying. */
  #turns = 0;
  #succeededAt = Infinity;
  #isOver = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** It has succeeded, for now. @param isWhole nothing is left to be tried on */
  succeeded(isWhole: boolean): void {
    this.#succeededAt = this.#clock.now();
    if (isWhole) this.#turns = 0;
  }

  /** Does it after a pause; answers whether it will be done: not when it was tried too often. */
  later(job: () => void): boolean {
    if (this.#clock.now() - this.#succeededAt > wellAfter) this.#attempts = 0;
    this.#attempts += 1;
    return this.#after(pauses[this.#attempts - 1], job);
  }

  /** The same however often it was tried: the last pause is repeated. */
  keepOn(job: () => void): void {
    this.#turns += 1;
    this.#after(pauses[this.#turns - 1] ?? pauses.at(-1), job);
  }

  dispose(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #after(pause: number | undefined, job: () => void): boolean {
    if (this.#isOver || pause === undefined) return false;
    this.#timer = setTimeout(job, pause);
    return true;
  }
}
