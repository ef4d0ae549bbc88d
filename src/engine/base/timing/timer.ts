import type { Disposable } from "../disposable.ts";

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
