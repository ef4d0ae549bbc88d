import { availableParallelism, loadavg } from "node:os";
import { setTimeout as pause } from "node:timers/promises";

/** The processors' load as a port: only the hosts read the machine's. */
export interface Processors {
  /** Whether more processes want the processors than there are. */
  readonly isBusy: () => boolean;
  /** Waits for a span in milliseconds, or until the signal. */
  readonly wait: (span: number, signal: AbortSignal) => Promise<void>;
}

/** Windows does not tell its load, so its processors are never busy. */
export const systemProcessors: Processors = {
  isBusy: () => (loadavg()[0] ?? 0) > availableParallelism(),
  wait: async (span, signal) => {
    await pause(span, undefined, { signal }).catch(rethrowUnlessAborted);
  },
};

/** The load is a mean of a minute. Milliseconds. */
const interval = 5000;
/** Longest wait. Milliseconds. */
const maxWait = 15_000;

/**
 * Waits for a free processor. A run on a busy machine would take longer, and its check might not end in time. The wait is short: some
 * machines are always busy, and a run mostly waits for its model.
 */
export async function untilIdle({ isBusy, wait }: Processors, signal: AbortSignal): Promise<void> {
  for (let waited = 0; waited < maxWait && !signal.aborted && isBusy(); waited += interval)
    await wait(interval, signal);
}

function rethrowUnlessAborted(error: unknown): void {
  if (!(error instanceof Error && error.name === "AbortError")) throw error;
}
