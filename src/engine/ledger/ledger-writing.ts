import path from "node:path";
import { writeBeside } from "../base/atomic-file.ts";
import { errorCode } from "../base/error-code.ts";
import type { LockFile } from "../base/lock-file.ts";
import { fail, succeed, type Failure, type Result } from "../base/result.ts";
import { CommitQueue } from "./commit-queue.ts";
import type { Database } from "./database.ts";
import { readJournal } from "./journal-reader.ts";
import type { EntryWriter } from "./entry-writer.ts";
import { JournalWriter } from "./journal-writer.ts";
import type { LedgerPorts } from "./ledger-ports.ts";
import type { SnapshotStore } from "./snapshot-store.ts";
import { trimJournal } from "./trim-journal.ts";

export type SnapshotReason = "read_only" | "disk_full" | "write_failed" | "lock_lost";

export interface SnapshotReport {
  /** Bytes of the file. */
  readonly bytes: number;
  /** The number of the last entry in it. */
  readonly applied: number;
  /** Milliseconds in which nothing else was answered, while the bytes were copied. */
  readonly blockedMs: number;
}

interface WritingParts {
  readonly ports: LedgerPorts;
  readonly db: Database;
  readonly writer: EntryWriter;
  readonly store: SnapshotStore;
  readonly lock: LockFile;
  readonly journalFolder: string;
  /** The highest number in the journal and the snapshot. */
  readonly last: number;
  /** The snapshot that was loaded: the number of its last entry and its bytes; 0 without one. */
  readonly applied: number;
  readonly snapshotBytes: number;
  /** It is of the present schema and in its place. */
  readonly isSnapshotGood: boolean;
  /** Bytes of journal that no snapshot has. */
  readonly journalBytes: number;
  /** Segments that hold damage. */
  readonly damaged: ReadonlySet<string>;
  readonly snapshotAfter: number;
}

interface Copy {
  readonly content: Uint8Array;
  readonly report: SnapshotReport;
  /** Bytes of journal that were written before it. */
  readonly written: number;
}

/** The part of a ledger that changes files. */
export class LedgerWriting {
  readonly queue: CommitQueue;
  readonly #parts: WritingParts;
  readonly #journal: JournalWriter;
  #running: Promise<Result<SnapshotReport, SnapshotReason>> | null = null;
  /** The snapshot on disk, if there is a good one. */
  #last: Pick<SnapshotReport, "bytes" | "applied"> | null;
  /** Bytes of journal since the last snapshot, and of that snapshot. */
  #fresh: number;
  #dueAt: number;

  constructor(parts: WritingParts) {
    this.#parts = parts;
    this.#last = parts.isSnapshotGood ? { bytes: parts.snapshotBytes, applied: parts.applied } : null;
    this.#fresh = parts.journalBytes;
    this.#dueAt = parts.snapshotAfter;
    this.#journal = new JournalWriter(parts.journalFolder, parts.ports.files, parts.last);
    this.queue = new CommitQueue({
      journal: this.#journal,
      apply: (entries, last) => parts.writer.write(entries, last),
      mayWrite: () => parts.lock.isHeld(),
    });
  }

  /** The journal has grown as large as the last snapshot, and not only by a little. */
  isSnapshotDue(): boolean {
    return this.#running === null && this.#fresh + this.#journal.written >= this.#dueAt;
  }

  /** One at a time: who asks while one is made gets that one. */
  snapshot({ evenUnchanged = false } = {}): Promise<Result<SnapshotReport, SnapshotReason>> {
    this.#running ??= this.#snapshot(evenUnchanged).finally(() => (this.#running = null));
    return this.#running;
  }

  async #snapshot(evenUnchanged: boolean): Promise<Result<SnapshotReport, SnapshotReason>> {
    const { store, lock, journalFolder, damaged, ports, snapshotAfter } = this.#parts;
    try {
      if (!(await lock.isHeld())) return fail("lock_lost", "another process took over the ledger");
      const copy = await this.queue.between(() =>
        evenUnchanged ? this.#copy() : this.#copyUnlessUnchanged(),
      );
      if ("applied" in copy) return succeed({ ...copy, blockedMs: 0 });
      const upTo = await store.save(copy.content, copy.report.applied);
      this.#last = copy.report;
      this.#fresh = -copy.written;
      this.#dueAt = Math.max(snapshotAfter, copy.content.length);
      await trimJournal(journalFolder, { files: ports.files, upTo, damaged });
      return succeed(copy.report);
    } catch (error) {
      return writeFailure(error, store.current);
    }
  }

  /** A copy of the present content, or what is on disk when that is no older. */
  async #copyUnlessUnchanged(): Promise<Copy | Pick<SnapshotReport, "bytes" | "applied">> {
    return this.#last?.applied === this.#journal.next - 1 ? this.#last : this.#copy();
  }

  async #copy(): Promise<Copy> {
    const applied = this.#journal.next - 1;
    await this.#journal.endSegment();
    this.#parts.writer.markApplied(applied);
    const before = performance.now();
    const bytes = this.#parts.db.bytes();
    const report = { bytes: bytes.length, applied, blockedMs: performance.now() - before };
    return { content: bytes, report, written: this.#journal.written };
  }

  /** What is wrong on disk, in words. */
  async check(): Promise<string[]> {
    const { store, journalFolder, ports } = this.#parts;
    return this.queue.between(async () => {
      const faults = await store.faults();
      const applied = this.#last?.applied ?? this.#parts.applied;
      const journal = await readJournal(
        { folder: journalFolder, files: ports.files, applied },
        () => undefined,
      );
      const lost = journal.lost > 0 ? [`${journalFolder}: ${journal.lost} entries are missing`] : [];
      return [
        ...[...faults, ...journal.faulty].map(({ path: file, reason }) => `${file}: ${reason}`),
        ...lost,
      ];
    });
  }

  async backup(file: string): Promise<Result<SnapshotReport, SnapshotReason | "exists">> {
    const { files } = this.#parts.ports;
    try {
      const copy = await this.queue.between(() => this.#copy());
      const temporary = await writeBeside(file, copy.content, this.#parts.ports);
      try {
        await files.link(temporary, file);
      } finally {
        await files.remove(temporary);
      }
      await files.flushFolder(path.dirname(file));
      return succeed(copy.report);
    } catch (error) {
      if (errorCode(error) === "EEXIST") return fail("exists", `${file} exists; give another name`);
      return writeFailure(error, file);
    }
  }

  async close(): Promise<void> {
    await this.#running;
    await this.queue.between(() => this.#journal.endSegment());
    await this.#parts.lock.release();
  }
}

function writeFailure(error: unknown, file: string): Failure<"disk_full" | "write_failed"> {
  const code = errorCode(error);
  const isFull = code === "ENOSPC" || code === "EDQUOT";
  return fail(isFull ? "disk_full" : "write_failed", `${file}: ${code}`);
}
