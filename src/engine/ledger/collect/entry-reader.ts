import type { LedgerEntry } from "../entries/entries-entry.ts";

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
