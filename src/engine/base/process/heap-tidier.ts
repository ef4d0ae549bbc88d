import { performance } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";
import type { Disposable } from "../disposable.ts";

/** How often it is looked whether a thread is idle. Milliseconds. */
const interval = 5000;
/** Of the time since the last look: who did less was idle. */
const idleShare = 0.02;
/** What a heap has to have grown by. Bytes. */
const worthwhile = 4 << 20;

/**
 * Has a thread that is idle give back what it no longer uses: V8 collects garbage when memory is asked for, and who is idle asks for none.
 * Does nothing where the runtime was not begun with `--expose-gc`.
 */
export class HeapTidier implements Disposable {
  readonly #timer: NodeJS.Timeout | undefined;
  #before = performance.eventLoopUtilization();
  #tidied = 0;

  constructor() {
    const collect = globalThis.gc;
    if (collect !== undefined) this.#timer = setInterval(() => this.#look(collect), interval).unref();
  }

  dispose(): void {
    clearInterval(this.#timer);
  }

  #look(collect: NodeJS.GCFunction): void {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#before);
    this.#before = now;
    if (utilization > idleShare || heapSize() < this.#tidied + worthwhile) return;
    // As when memory is out: what V8 keeps just in case goes too, which is 2 MB of a service.
    collect({ type: "major", execution: "sync", flavor: "last-resort" });
    this.#tidied = heapSize();
  }
}

function heapSize(): number {
  return getHeapStatistics().total_heap_size;
}
