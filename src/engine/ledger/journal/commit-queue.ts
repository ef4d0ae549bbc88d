import { isDiskFull, withRefusalRemedy } from "../../base/files.ts";
import { sentence } from "../../base/language.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { LedgerEntry } from "../entries/entries-entry.ts";
import { LineWriter } from "./line.ts";
import type { JournalWriter } from "./writer.ts";

export type AppendReason = "bad_entry" | "read_only" | "disk_full" | "write_failed" | "lock_lost" | "closed";

/** The appended entries are on the disk and in every answer from now on. */
export interface Acknowledgement {
  /** The number of the last entry of this append. */
  readonly last: number;
}

interface Append {
  readonly entries: readonly LedgerEntry[];
  readonly settle: (result: Result<Acknowledgement, AppendReason>) => void;
  readonly fault: (error: unknown) => void;
}

interface QueuePorts {
  readonly journal: JournalWriter;
  /** Puts entries into the tables; `last` is the number of the last one. */
  readonly apply: (entries: readonly LedgerEntry[], last: number) => void;
  /** Whether this process is still the only writer. */
  readonly mayWrite: () => Promise<boolean>;
}

/** Entries put into the tables at once; other work runs between such parts. */
const part = 2000;
/** Maximum entries per write, so that the first append does not wait for very many others. */
const maxInWrite = 10_000;

/** Writes appends in groups: all appends that arrive during one flush share the next flush. */
export class CommitQueue {
  readonly #ports: QueuePorts;
  readonly #lines = new LineWriter();
  #pending: Append[] = [];
  #isScheduled = false;
  #chain: Promise<unknown> = Promise.resolve();

  constructor(ports: QueuePorts) {
    this.#ports = ports;
  }

  append(entries: readonly LedgerEntry[]): Promise<Result<Acknowledgement, AppendReason>> {
    return new Promise((settle, fault) => {
      this.#pending.push({ entries, settle, fault });
      this.#schedule();
    });
  }

  /** Runs `work` when no write is in progress; none starts until it ends. */
  runExclusive<Value>(work: () => Value | Promise<Value>): Promise<Value> {
    const result = this.#chain.then(work);
    // The caller receives a failure of `work`; later work in the queue still runs.
    this.#chain = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    void this.runExclusive(() => this.#commit());
  }

  async #commit(): Promise<void> {
    this.#isScheduled = false;
    const group = this.#takeGroup();
    if (this.#pending.length > 0) this.#schedule();
    try {
      const failure = await this.#write(group);
      if (failure !== null) for (const { settle } of group) settle(failure);
    } catch (error) {
      for (const { fault } of group) fault(error);
    }
  }

  #takeGroup(): Append[] {
    let entries = 0;
    const end = this.#pending.findIndex((append) => (entries += append.entries.length) > maxInWrite);
    return this.#pending.splice(0, end < 0 ? Infinity : Math.max(1, end));
  }

  async #write(group: readonly Append[]): Promise<Result<never, AppendReason> | null> {
    const { journal, mayWrite } = this.#ports;
    if (!(await mayWrite())) return fail("lock_lost", sentence("another process took over the ledger"));
    const first = journal.next;
    const count = this.#encode(group, first);
    const code = await journal.write(this.#lines.bytes(), count);
    if (code !== null)
      return fail(
        isDiskFull(code) ? "disk_full" : "write_failed",
        withRefusalRemedy(sentence("the journal: {0}", code)),
      );
    let before = first - 1;
    for (const append of group) {
      await this.#apply(append, before);
      before += append.entries.length;
    }
    return null;
  }

  /** @returns the number of lines */
  #encode(group: readonly Append[], first: number): number {
    const lines = this.#lines;
    lines.restart();
    let number = first;
    for (const { entries } of group)
      for (const entry of entries) {
        lines.add({ number, entry });
        number += 1;
      }
    return number - first;
  }

  /** @param before the number of the entry before its first one */
  async #apply({ entries, settle, fault }: Append, before: number): Promise<void> {
    try {
      for (let start = 0; start < entries.length; start += part) {
        if (start > 0) await nextTurn();
        const some = entries.slice(start, start + part);
        this.#ports.apply(some, before + start + some.length);
      }
      settle(succeed({ last: before + entries.length }));
    } catch (error) {
      fault(error);
    }
  }
}
