import { sentence, type Sentence } from "../../base/language.ts";
import type { LedgerEntry } from "../entries/entries-entry.ts";
import type { FilePosition, ReadFile } from "../questions/queries.ts";

export type PositionEntry = Extract<LedgerEntry, { kind: "position" }>;

/** Result of reading further. */
export interface SourceReading {
  readonly entries: readonly LedgerEntry[];
  /** How far the file has been read with these entries; null if there is nothing to store. */
  readonly position: PositionEntry | null;
  /** Whether there is more to read than the budget allowed. */
  readonly more: boolean;
  /** Why the file, or part of it, cannot be read; null without a problem, and for a file that no longer exists. */
  readonly problem: Sentence | null;
}

/** Reads one file as it grows. */
export interface SourceReader {
  /** @param budget maximum bytes to read now, for formats that can be read in pieces */
  read(budget: number): SourceReading;
}

/** A file with an agent's usage data. */
export interface Source {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly mtimeMs: number;
  /**
   * Minimum time between two collections while the file changes, for formats where each collection compares everything
   * so far. The regular passes do not wait. Milliseconds.
   */
  readonly rest: number;
  /** @param position where an earlier reader stopped */
  open(position: FilePosition | null): SourceReader;
}

/** Reported for a file with rows that are too long to read; its other rows are read. */
export const rowsLeftOut = sentence("rows of more than 64 MiB are left out; its other rows count");

export const nothingRead: SourceReading = { entries: [], position: null, more: false, problem: null };

/**
 * Whether the file was read completely and has not changed since. Times are compared for equality only: clocks go back.
 */
export function isRead(
  source: Pick<Source, "size" | "mtimeMs">,
  position: Pick<ReadFile, "size" | "modifiedAt"> | undefined,
): boolean {
  return position?.size === source.size && position.modifiedAt === source.mtimeMs;
}
