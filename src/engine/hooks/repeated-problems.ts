/** Shortest time between two reports of the same problem. Milliseconds. */
const pause = 60_000;
/** More than there are kinds of problems; some kinds contain names from outside. */
const mostKinds = 100;

/** Reports each kind of problem at most once a minute, as hooks come by the hundred. */
export class RepeatedProblems {
  readonly #tell: (message: string) => void;
  readonly #now: () => number;
  readonly #told = new Map<string, { at: number; more: number }>();

  constructor(tell: (message: string) => void, now: () => number) {
    this.#tell = tell;
    this.#now = now;
  }

  /** @param kind problems of the same kind count as repetitions */
  add(kind: string, message: string): void {
    const now = this.#now();
    const told = this.#told.get(kind);
    if (told !== undefined && now - told.at < pause) {
      told.more += 1;
      return;
    }
    if (this.#told.size >= mostKinds) this.#told.clear();
    this.#told.set(kind, { at: now, more: 0 });
    this.#tell(
      told === undefined || told.more === 0 ? message : `${message} (and ${told.more} times before)`,
    );
  }
}
