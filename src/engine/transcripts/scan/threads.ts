import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { errorCode } from "../../base/result.ts";
import { shortLimits } from "../../base/process.ts";
import { type ScanPart, UnitScanner } from "./unit-scanner.ts";
import type { ScanPlan } from "./units.ts";

/** The input of every scanning thread. */
export interface ScanTask {
  readonly plan: ScanPlan;
  /** Shared by all threads: how many units of `order` have been taken, and whether to stop. */
  readonly control: Int32Array<SharedArrayBuffer>;
}

const [takenAt, stoppedAt] = [0, 1];

export function newControl(): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(8));
}

/** Makes every thread stop before its next chunk. */
export function stopAll(control: ScanTask["control"]): void {
  Atomics.store(control, stoppedAt, 1);
}

export function newScanner({ control }: ScanTask): UnitScanner {
  return new UnitScanner(() => Atomics.load(control, stoppedAt) === 1);
}

/** Scans the next unit that no thread has taken; false when there is none, or the scan was stopped. */
export function scanNext({ plan, control }: ScanTask, scanner: UnitScanner): boolean {
  const number = scanner.isStopped() ? undefined : plan.order[Atomics.add(control, takenAt, 1)];
  const unit = number === undefined ? undefined : plan.units[number];
  if (number === undefined || unit === undefined) return false;
  scanner.scan(number, unit);
  return true;
}

/** Scans a thread's share without yielding. */
export function scanShare(task: ScanTask): UnitScanner {
  const scanner = newScanner(task);
  while (scanNext(task, scanner));
  return scanner;
}

/** The buffers of a part that are transferred to another thread instead of being copied. */
export function transferables({ table }: ScanPart): ArrayBuffer[] {
  const { messages, texts, requests, links, figures, details, heads } = table;
  const arenas = [messages.arena, texts.arena, requests];
  const arrays = [
    ...arenas.flatMap(({ bytes, ends }) => [bytes, ends]),
    messages.hashes,
    messages.slots,
    texts.hashes,
    texts.slots,
    links,
    figures,
    details,
    heads,
  ];
  return arrays.map(({ buffer }) => buffer);
}

/** Below this many bytes a thread costs more than it saves: starting it takes as long as reading them. */
const worthwhile = 1 << 24;
const maxThreads = 8;

interface StartedThread {
  readonly worker: Worker;
  /** Rejected when the thread fails or ends early. */
  readonly part: Promise<ScanPart>;
}

/**
 * Threads that read transcripts beside the calling one. They take 30 ms to start, and twice that beside a busy thread:
 * start them while the files are still being searched.
 */
export class ScanThreads {
  readonly #workerPath: string | URL;
  readonly #count: number;
  readonly #start: typeof startWorker;
  #started: StartedThread[] | null = null;

  /**
   * @param workerPath the built `scan-worker`
   * @param count how many threads, without the calling one. Default: one for each further core, at maxThreads 7.
   * @param start starts a thread; passed in by tests only
   */
  constructor(
    workerPath: string | URL,
    count = Math.min(availableParallelism(), maxThreads) - 1,
    start = startWorker,
  ) {
    this.#workerPath = workerPath;
    this.#count = count;
    this.#start = start;
  }

  /** Starts the threads when there is enough to read, and they have not been started: as many as the system allows. */
  startFor(bytes: number): void {
    if (this.#started !== null || bytes < worthwhile) return;
    this.#started = [];
    try {
      while (this.#started.length < this.#count) this.#started.push(withPart(this.#start(this.#workerPath)));
    } catch (error) {
      if (errorCode(error) !== "ERR_WORKER_INIT_FAILED") throw error;
    }
  }

  read(task: ScanTask): Promise<ScanPart>[] {
    return (this.#started ?? []).map(({ worker, part }) => {
      worker.postMessage(task);
      return part;
    });
  }

  /** Ends the threads, even while they work. */
  end(): void {
    for (const { worker } of this.#started ?? []) void worker.terminate();
  }
}

function startWorker(workerPath: string | URL): Worker {
  return new Worker(workerPath, { resourceLimits: shortLimits });
}

function withPart(worker: Worker): StartedThread {
  const part = new Promise<ScanPart>((resolve, reject) => {
    worker.once("message", (message: unknown) => {
      if (isPart(message)) resolve(message);
    });
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`A scanning thread ended early, with code ${code}`)));
  });
  // A thread may fail before `read` awaits it. `read` then receives the failure.
  part.catch(() => undefined);
  return { worker, part };
}

function isPart(message: unknown): message is ScanPart {
  return typeof message === "object" && message !== null && "table" in message && "reports" in message;
}
