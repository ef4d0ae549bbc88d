/** Minimum time between two notifications that nobody asked for. Milliseconds. */
const minPause = 30 * 60_000;

/**
 * Limits notifications that nobody asked for to one per window and half hour. What is not shown now stays visible in
 * the status bar and the views, and may be shown later if it still holds.
 */
export class Interruptions {
  readonly #now: () => number;
  #lastAt = -Infinity;

  /** @param now milliseconds since the epoch */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Whether a notification may be shown now. If so, the caller must show one. */
  take(): boolean {
    const now = this.#now();
    // A time in the future was set by a clock that has been set back since.
    if (this.#lastAt <= now && now - this.#lastAt < minPause) return false;
    this.#lastAt = now;
    return true;
  }
}
