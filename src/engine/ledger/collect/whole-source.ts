import { sentence, type Sentence } from "../../base/language.ts";
import type { Result } from "../../base/result.ts";
import type { UnreadableFile } from "../../transcripts/usage-reader.ts";
import type { LedgerEntry } from "../entries/entries-entry.ts";
import { nothingRead, type Source, type SourceReader, type SourceReading } from "./collect-source.ts";
import { crc32 } from "node:zlib";

/**
 * Passes on only new or changed entries, so that formats that produce all of a file's entries each time need no check
 * of their own.
 */
export class ChangedEntries {
  /** Checksums of the entries passed on, by entry key. */
  readonly #checksums = new Map<string, number>();

  takeChanged(entries: readonly LedgerEntry[]): LedgerEntry[] {
    return entries.filter((entry) => this.isChanged(entry));
  }

  /** Returns whether to pass the entry on, and records that it was. */
  isChanged(entry: LedgerEntry): boolean {
    // Every response repeats a limit at a new time, so only a change of the limit itself counts.
    const content = entry.kind === "plan-limit" ? { ...entry, at: 0 } : entry;
    const [key, sum] = [keyOf(entry), crc32(JSON.stringify(content))];
    if (this.#checksums.get(key) === sum) return false;
    this.#checksums.set(key, sum);
    return true;
  }
}

function keyOf(entry: LedgerEntry): string {
  if (entry.kind === "response") return `response ${entry.messageId}`;
  if (entry.kind === "plan-limit") return `plan-limit ${entry.name}`;
  if ("id" in entry) return `${entry.kind} ${entry.id}`;
  return JSON.stringify(entry);
}

type Stats = Pick<Source, "size" | "mtimeMs">;

export interface WholeFormat {
  /** The file's current size and time; undefined when it is gone. */
  readonly stats: () => Stats | undefined;
  /** All entries of the file. */
  readonly read: () => Result<readonly LedgerEntry[], UnreadableFile>;
}

/** Reads a file that is rewritten when it changes, or that has no lines: all of it each time. */
export class WholeSource implements SourceReader {
  readonly #path: string;
  readonly #format: WholeFormat;
  readonly #changed = new ChangedEntries();

  constructor(path: string, format: WholeFormat) {
    this.#path = path;
    this.#format = format;
  }

  read(): SourceReading {
    // Taken before reading, so that a write during the reading shows as a change.
    const stats = this.#format.stats();
    if (stats === undefined) return nothingRead;
    const read = this.#format.read();
    if (!read.ok) return { ...nothingRead, problem: read.reason === "gone" ? null : problems[read.reason] };
    return {
      entries: this.#changed.takeChanged(read.value),
      position: {
        kind: "position",
        path: this.#path,
        identity: "whole",
        offset: stats.size,
        size: stats.size,
        modifiedAt: stats.mtimeMs,
      },
      more: false,
      problem: null,
    };
  }
}

const problems: Readonly<Record<Exclude<UnreadableFile, "gone">, Sentence>> = {
  denied: sentence("it may not be read"),
  refused: sentence("it is no regular file"),
  unsupported: sentence("this runtime cannot read such files"),
  damaged: sentence("it is damaged"),
};
