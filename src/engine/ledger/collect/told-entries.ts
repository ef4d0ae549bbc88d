import { crc32 } from "node:zlib";
import type { LedgerEntry } from "../entries/entry.ts";

/** Passes on the entries that are new, or not what they were: those who tell all of a file each time need not think of it. */
export class ToldEntries {
  /** Checksums of what was told, by what the entry is of. */
  readonly #told = new Map<string, number>();

  untold(entries: readonly LedgerEntry[]): LedgerEntry[] {
    return entries.filter((entry) => {
      // A limit is told again with every response: what counts is how much of it is used.
      const content = entry.kind === "plan-limit" ? { ...entry, at: 0 } : entry;
      const [key, sum] = [keyOf(entry), crc32(JSON.stringify(content))];
      if (this.#told.get(key) === sum) return false;
      this.#told.set(key, sum);
      return true;
    });
  }
}

function keyOf(entry: LedgerEntry): string {
  if (entry.kind === "response") return `response ${entry.messageId}`;
  if (entry.kind === "plan-limit") return `plan-limit ${entry.name}`;
  if ("id" in entry) return `${entry.kind} ${entry.id}`;
  return JSON.stringify(entry);
}
