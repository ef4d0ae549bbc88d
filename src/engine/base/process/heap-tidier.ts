import { performance } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";
import type { Disposable } from "../disposable.ts";

/** How often to check whether a thread is idle. Milliseconds. */
const interval = 5000;
/** Share of the time since the last check: a thread that worked less was idle. */
const idleShare = 0.02;
/** Growth of the heap that makes a collection worthwhile. Bytes. */
const worthwhile = 4 << 20;

/**
 * Makes an idle thread release unused memory: V8 collects garbage on allocation, and an idle thread allocates nothing. Does nothing unless
 * the runtime was started with `--expose-gc`.
 */
export class HeapTidier implements Disposable {
  readonly #timer: NodeJS.Timeout | undefined;
  #before = performance.eventLoopUtilization();
  #tidied = 0;

  constructor() {
    const collect = globalThis.gc;
    if (collect !== undefined) this.#timer = setInterval(() => this.#check(collect), interval).unref();
  }

  dispose(): void {
    clearInterval(this.#timer);
  }

  #check(collect: NodeJS.GCFunction): void {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#before);
    this.#before = now;
    if (utilization > idleShare || heapSize() < this.#tidied + worthwhile) return;
    // As if memory had run out: this also drops V8's reserves, which are 2 MB in a service.
    collect({ type: "major", execution: "sync", flavor: "last-resort" });
    this.#tidied = heapSize();
  }
}

function heapSize(): number {
  return getHeapStatistics().total_heap_size;
}
