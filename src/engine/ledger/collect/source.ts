import type { LedgerEntry } from "../entries/entry.ts";
import type { FilePosition, ReadFile } from "../questions/queries.ts";

export type PositionEntry = Extract<LedgerEntry, { kind: "position" }>;

/** What reading on brought. */
export interface SourceReading {
  readonly entries: readonly LedgerEntry[];
  /** How far it has been read with these entries, or null where there is nothing to remember. */
  readonly position: PositionEntry | null;
  /** There is more to read than the budget. */
  readonly more: boolean;
  /** Why it cannot be read, or null. What does not exist any more is no problem. */
  readonly problem: string | null;
}

/** Reads one file as it grows. */
export interface SourceReader {
  /** @param budget the most bytes to read now, where the format can be read in pieces */
  read(budget: number): SourceReading;
}

/** A file that tells what an agent used. */
export interface Source {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly mtimeMs: number;
  /** @param position how far it was read by a reader that is gone */
  open(position: FilePosition | null): SourceReader;
}

export const nothingRead: SourceReading = { entries: [], position: null, more: false, problem: null };

/**
 * Whether all of it was read, and nothing happened to it since. Times are compared only to be equal: clocks go back.
 */
export function isRead(source: Pick<Source, "size" | "mtimeMs">, position: ReadFile | undefined): boolean {
  return position?.size === source.size && position.modifiedAt === source.mtimeMs;
}
