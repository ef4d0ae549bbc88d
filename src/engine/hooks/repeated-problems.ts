/** Minimum time between two reports of the same problem. Milliseconds. */
const pause = 60_000;
/** More than there are kinds of problems; some kinds contain names from outside. */
const maxKinds = 100;

/** Reports each kind of problem at most once a minute, as hooks come by the hundred. */
export class RepeatedProblems {
  readonly #report: (message: string) => void;
  readonly #now: () => number;
  readonly #reported = new Map<string, { at: number; more: number }>();

  constructor(report: (message: string) => void, now: () => number) {
    this.#report = report;
    this.#now = now;
  }

  /** @param kind problems of the same kind count as repetitions */
  add(kind: string, message: string): void {
    const now = this.#now();
    const reported = this.#reported.get(kind);
    // A clock that was set back must not keep problems silent.
    if (reported !== undefined && Math.abs(now - reported.at) < pause) {
      reported.more += 1;
      return;
    }
    if (this.#reported.size >= maxKinds) this.#reported.clear();
    this.#reported.set(kind, { at: now, more: 0 });
    this.#report(
      reported === undefined || reported.more === 0
        ? message
        : `${message} (and ${reported.more} times before)`,
    );
  }
}
