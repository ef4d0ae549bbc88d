import { crc32 } from "node:zlib";
import type { LedgerEntry } from "../entries/entries-entry.ts";

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

  /** Returns whether the entry is to be passed on, and counts it as that. */
  isChanged(entry: LedgerEntry): boolean {
    // Every response repeats a limit at a new time: only a change of the limit itself counts.
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
