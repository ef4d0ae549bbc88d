import type { LedgerEntry } from "../entries/entry.ts";

/** A transcript file, and whose it is. */
export interface EntryFile {
  readonly path: string;
  readonly sessionId: string;
  /** The subagent's, or null for a session's main file. */
  readonly agentId: string | null;
}

/** Turns one transcript file's lines into ledger entries, in pieces as the file grows. Never throws, whatever the lines are. */
export interface EntryReader {
  /** A line without its newline, in a buffer that may be used again after the call. */
  line(line: Buffer): void;
  /** A line too long to be read was passed over. */
  oversized(): void;
  /** Entries since the last call. Told again they change nothing: ids are stable, and writing one twice is writing it once. */
  take(): LedgerEntry[];
  /** What it must remember to go on after the lines so far: JSON text of its own, under 100,000 characters. */
  state(): string;
}
