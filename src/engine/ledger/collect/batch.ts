import type { Failure, Result } from "../../base/result.ts";
import type { Acknowledgement, AppendReason } from "../journal/commit-queue.ts";
import type { LedgerEntry } from "../entries/entries-entry.ts";
import type { PositionEntry } from "./collect-source.ts";

export type Append = (entries: readonly LedgerEntry[]) => Promise<Result<Acknowledgement, AppendReason>>;

export interface BatchPorts {
  readonly append: Append;
  /** Called when a file has been read up to this position and all entries before it are in the ledger. */
  readonly onPosition: (position: PositionEntry) => void;
  /**
   * Called when the ledger refuses an entry as malformed. The entry is left out, so that it does not block the others
   * forever.
   */
  readonly onBadEntry: (detail: string) => void;
}

/** Maximum entries per append. */
const maxEntries = 4000;

/**
 * Gathers the entries of files into appends of a useful size. A file's position is in the append of its last entries or
 * in a later one, never in an earlier one. One append is in flight while the next is gathered. After a refused append
 * nothing more is appended: a later position would skip the refused entries.
 */
export class Batch {
  readonly #ports: BatchPorts;
  #entries: LedgerEntry[] = [];
  #positions = new Map<string, PositionEntry>();
  #sent: Promise<void> = Promise.resolve();
  /** Why an append was refused. */
  failure: Failure<AppendReason> | null = null;

  constructor(ports: BatchPorts) {
    this.#ports = ports;
  }

  async add(entries: readonly LedgerEntry[], position: PositionEntry | null): Promise<void> {
    for (let start = 0; start < entries.length;) {
      if (this.#isFull()) await this.#send();
      const room = maxEntries - this.#entries.length - this.#positions.size;
      this.#entries.push(...entries.slice(start, start + room));
      start += room;
    }
    if (position === null) return;
    if (this.#isFull()) await this.#send();
    this.#positions.set(position.path, position);
  }

  /** Resolves when everything added is in the ledger, or refused. */
  async flush(): Promise<void> {
    await this.#send();
    await this.#sent;
  }

  #isFull(): boolean {
    return this.#entries.length + this.#positions.size >= maxEntries;
  }

  async #send(): Promise<void> {
    await this.#sent;
    const [entries, positions] = [this.#entries, [...this.#positions.values()]];
    this.#entries = [];
    this.#positions = new Map();
    if (this.failure === null && entries.length + positions.length > 0)
      this.#sent = this.#append(entries, positions);
  }

  async #append(entries: readonly LedgerEntry[], positions: readonly PositionEntry[]): Promise<void> {
    this.failure = await this.#appendOrSplit([...entries, ...positions]);
    if (this.failure === null) for (const position of positions) this.#ports.onPosition(position);
  }

  async #appendOrSplit(entries: readonly LedgerEntry[]): Promise<Failure<AppendReason> | null> {
    const appended = await this.#ports.append(entries);
    if (appended.ok) return null;
    if (appended.reason !== "bad_entry") return appended;
    if (entries.length === 1) {
      this.#ports.onBadEntry(`${entries[0]?.kind ?? ""}: ${appended.detail.text}`);
      return null;
    }
    const half = Math.ceil(entries.length / 2);
    return (await this.#appendOrSplit(entries.slice(0, half))) ?? this.#appendOrSplit(entries.slice(half));
  }
}
