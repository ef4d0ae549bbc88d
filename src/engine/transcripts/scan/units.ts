import path from "node:path";
import type { ByteRange } from "./line-reader.ts";

export interface ScanFile {
  readonly path: string;
  /** The session the file belongs to, or null when only its lines contain it. */
  readonly sessionId: string | null;
  /** Bytes. */
  readonly size: number;
  /** When it was last written to. Milliseconds since the epoch. */
  readonly mtimeMs: number;
}

/** A part of a file, read by one thread. */
export interface ScanUnit extends ByteRange {
  readonly path: string;
  readonly sessionId: string | null;
  /** Session assigned to rows without one, in a file whose path names none either. */
  readonly name: string;
}

export interface ScanPlan {
  readonly units: readonly ScanUnit[];
  /** Unit numbers, largest first, so that the last units are small and the threads finish together. */
  readonly order: readonly number[];
}

/**
 * Large enough that its first line and its share of opening the file cost nothing, small enough to share out evenly.
 * Bytes.
 */
const unitSize = 1 << 23;

/**
 * Cuts the corpus into parts for threads to take. Units are numbered file by file, least recently written first. Of
 * equal copies of a response the one with the lowest number is stored. If nothing marks a fork's copies, the file that
 * is no longer written to counts as the parent. A file's last part extends to the file's end at the time of listing.
 */
export function planScan(files: readonly ScanFile[], partSize = unitSize): ScanPlan {
  const inOrder = files.toSorted((one, other) => one.mtimeMs - other.mtimeMs);
  const units = inOrder.flatMap((file) => unitsOf(file, partSize));
  const order = units.map((_, number) => number);
  const sizeOf = (number: number) => (units[number]?.end ?? 0) - (units[number]?.start ?? 0);
  return { units, order: order.sort((one, other) => sizeOf(other) - sizeOf(one)) };
}

function unitsOf({ path: file, sessionId, size }: ScanFile, partSize: number): ScanUnit[] {
  const count = Math.max(1, Math.ceil(size / partSize));
  const name = path.basename(file, ".jsonl");
  return Array.from({ length: count }, (_, part) => ({
    path: file,
    sessionId,
    name,
    start: part * partSize,
    end: Math.min(size, (part + 1) * partSize),
  }));
}
