import type { Disposable } from "./events.ts";

export { Throttle } from "./timing/throttle.ts";

/** Time as a port: only the hosts read the machine's clock. Milliseconds since the epoch. */
export interface Clock {
  now(): number;
  /** Time since the machine's start, the same for all its processes, which nobody sets. Missing in clocks that are set. */
  readonly sinceStart?: () => number;
}

export const systemNow = (): number => Date.now();

export const systemClock: Clock = {
  now: systemNow,
  sinceStart: () => Number(process.hrtime.bigint() / 1_000_000n),
};

/** Returns whether work ended within a time. Milliseconds. */
export async function inTime(work: Promise<unknown>, time: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), time)));
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Measures spans of time and waits for their end. Tests pass in one that they advance. Milliseconds. */
export interface Timer {
  /** Time since an arbitrary start; never set back. */
  readonly elapsed: () => number;
  /** Runs a function after a span, unless disposed of before. */
  readonly after: (span: number, run: () => void) => Disposable;
}

export const systemTimer: Timer = {
  elapsed: () => performance.now(),
  after: (span, run) => {
    const timer = setTimeout(run, span);
    return { dispose: () => clearTimeout(timer) };
  },
};

/** Far more folders than agents work in at once. */
const maxEntries = 500;

export class TtlCache<Value> {
  readonly #find: (text: string) => Value;
  readonly #trust: number;
  readonly #now: () => number;
  readonly #known = new Map<string, { readonly value: Value; readonly at: number }>();

  /**
   * @param options how long a value stays valid, and a clock that is never set back, both in
   * milliseconds
   */
  constructor(
    find: (text: string) => Value,
    { trust, now }: { readonly trust: number; readonly now: () => number },
  ) {
    this.#find = find;
    this.#trust = trust;
    this.#now = now;
  }

  get(text: string): Value {
    const now = this.#now();
    const known = this.#known.get(text);
    if (known !== undefined && now - known.at < this.#trust) return known.value;
    const value = this.#find(text);
    this.#known.delete(text);
    this.#known.set(text, { value, at: now });
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxEntries && oldest !== undefined) this.#known.delete(oldest);
    return value;
  }
}

/**
 * Debounces a job: runs it once requests have paused for a while, or have gone on for
 * too long.
 */
export class Debounce implements Disposable {
  readonly #limits: { readonly quiet: number; readonly most: number };
  readonly #job: () => void;
  #quiet: NodeJS.Timeout | undefined;
  #most: NodeJS.Timeout | undefined;

  /**
   * @param limits delay after the last request, and at most after the first;
   * milliseconds
   */
  constructor(limits: { quiet: number; most: number }, job: () => void) {
    this.#limits = limits;
    this.#job = job;
  }

  ask(): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#run(), this.#limits.quiet);
    this.#most ??= setTimeout(() => this.#run(), this.#limits.most);
  }

  dispose(): void {
    clearTimeout(this.#quiet);
    clearTimeout(this.#most);
    this.#most = undefined;
  }

  #run(): void {
    this.dispose();
    this.#job();
  }
}
