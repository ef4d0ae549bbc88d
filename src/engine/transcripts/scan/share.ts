import type { ScanPlan } from "./units.ts";
import { UnitScanner, type ScanPart } from "./unit-scanner.ts";

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
  const { messages, texts, requests, links, figures, heads } = table;
  const arenas = [messages.arena, texts.arena, requests];
  const arrays = [
    ...arenas.flatMap(({ bytes, ends }) => [bytes, ends]),
    messages.hashes,
    messages.slots,
    texts.hashes,
    texts.slots,
    links,
    figures,
    heads,
  ];
  return arrays.map(({ buffer }) => buffer);
}
