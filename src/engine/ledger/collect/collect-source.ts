import { sentence, type Sentence } from "../../base/language.ts";
import type { LedgerEntry } from "../entries/entries-entry.ts";
import type { FilePosition, ReadFile } from "../questions/queries.ts";
import type { FileProblem } from "../../base/result.ts";

export type PositionEntry = Extract<LedgerEntry, { kind: "position" }>;

export interface SourceReading {
  readonly entries: readonly LedgerEntry[];
  /** How far the file has been read with these entries; null if there is nothing to store. */
  readonly position: PositionEntry | null;
  /** Whether there is more to read than the budget allowed. */
  readonly more: boolean;
  /** Why the file, or part of it, cannot be read; null without a problem, and for a file that no longer exists. */
  readonly problem: Sentence | null;
}

export interface SourceReader {
  /** @param budget maximum bytes to read now, for formats that can be read in pieces */
  read(budget: number): SourceReading;
}

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

/** A transcript file and the session and subagent it belongs to. */
export interface EntryFile {
  readonly path: string;
  readonly sessionId: string;
  /** The subagent's id, or null for a session's main file. */
  readonly agentId: string | null;
}

/**
 * Turns one transcript file's lines into ledger entries, in pieces as the file grows. Never throws, whatever the lines
 * hold.
 */
export interface EntryReader {
  /**
   * Reads a line without its newline, in a buffer that may be reused after the call. Returns false if the line is not
   * one record.
   */
  line(line: Buffer): boolean;
  /** Called when a line was skipped because it is too long. */
  oversized(): void;
  /** Entries since the last call. Appending them again changes nothing: ids are stable and writes are idempotent. */
  take(): LedgerEntry[];
  /** The state needed to resume after the lines so far: JSON text in the reader's own format, under 100,000 characters. */
  state(): string;
}

export interface FoundSources {
  readonly sources: readonly Source[];
  /** The folders that contain all sources, at any depth. They need not exist. */
  readonly areas: readonly string[];
  /** Folders within the areas where new files or folders appear. */
  readonly folders: readonly string[];
  readonly problems: readonly FileProblem[];
}
