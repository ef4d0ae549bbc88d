import { performance } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";
import type { Disposable } from "../events.ts";

/** Time until the next check, after a check of an idle thread and of a busy one. Milliseconds. */
const pauses = { idle: 5000, busy: 1000 };

/** Share of the time since the last check: a thread that worked less was idle. */
const idleShare = 0.02;

const worthwhile = 4 << 20;

/** Growth that makes one worthwhile in a busy thread, too. V8 itself waits for more, as if the machine were ours. Bytes. */
const much = 24 << 20;

/**
 * Makes a thread release unused memory: V8 collects garbage on allocation, and an idle thread allocates nothing. Does nothing unless the
 * runtime was started with `--expose-gc`.
 */
export class HeapTidier implements Disposable {
  #timer: NodeJS.Timeout | undefined;
  #before = performance.eventLoopUtilization();
  #tidied = 0;

  constructor() {
    if (globalThis.gc !== undefined) this.#checkIn(pauses.idle);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #checkIn(pause: number): void {
    this.#timer = setTimeout(() => this.#check(), pause).unref();
  }

  #check(): void {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#before);
    this.#before = now;
    const grown = heapSize() - this.#tidied;
    const isIdle = utilization <= idleShare;
    if (grown >= (isIdle ? worthwhile : much)) this.tidy();
    this.#checkIn(isIdle ? pauses.idle : pauses.busy);
  }

  /** Releases unused memory now, also outside V8's heap: around work that takes much. */
  tidy(): void {
    // As if memory had run out: this also drops V8's reserves, which are 2 MB in a service.
    globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
    this.#tidied = heapSize();
  }
}

function heapSize(): number {
  return getHeapStatistics().total_heap_size;
}
