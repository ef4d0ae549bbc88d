import { sentence, compose, plainSentence } from "../../base/language.ts";
import path from "node:path";
import { isDiskFull, withRefusalRemedy } from "../../base/files.ts";
import { type Result, type Failure, succeed, fail, errorCode } from "../../base/result.ts";
import type { HeldLock } from "../../base/lock.ts";
import { CommitQueue } from "../journal/commit-queue.ts";
import { type Database, pagedContent } from "./database.ts";
import { readJournal } from "../journal/reader.ts";
import type { EntryWriter } from "./entry-writer.ts";
import { JournalWriter } from "../journal/writer.ts";
import type { LedgerPorts } from "../journal.ts";
import { piecesOf } from "../pages/write.ts";
import { DamagedPage, type WorkingFile } from "../pages/working-file.ts";
import { appliedIn, writeCompacted, writeSnapshot, type SnapshotStore } from "./snapshots.ts";
import { trimJournal } from "../journal/segment.ts";

export type SnapshotReason = "read_only" | "disk_full" | "write_failed" | "lock_lost" | "damaged";

export interface SnapshotReport {
  /** Size of the file in bytes. */
  readonly bytes: number;
  /** The number of its last entry. */
  readonly applied: number;
  /** Milliseconds in which no other request was answered. */
  readonly blockedMs: number;
}

interface WritingParts {
  readonly ports: LedgerPorts;
  readonly db: Database;
  readonly writer: EntryWriter;
  readonly working: WorkingFile;
  readonly store: SnapshotStore;
  readonly lock: HeldLock;
  readonly journalFolder: string;
  /** The highest number in the journal and the snapshot. */
  readonly last: number;
  /** The snapshot on disk, if there is a valid one. */
  readonly snapshot: Pick<SnapshotReport, "bytes" | "applied"> | null;
  /** Bytes of the journal. */
  readonly journalBytes: number;
  readonly damaged: ReadonlySet<string>;
  readonly snapshotAfter: number;
  readonly checkpointAfter: number;
}

/** The part of a ledger that changes files. */
export class LedgerWriting {
  readonly queue: CommitQueue;
  readonly #parts: WritingParts;
  readonly #journal: JournalWriter;
  /** Runs checkpoints and copies one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  #snapshotting: Promise<Result<SnapshotReport, SnapshotReason>> | null = null;
  #checkpointing: Promise<Result<void, SnapshotReason>> | null = null;
  #snapshot: Pick<SnapshotReport, "bytes" | "applied"> | null;
  /** Bytes of journal since the last snapshot, without those written since construction. */
  #fresh: number;

  constructor(parts: WritingParts) {
    this.#parts = parts;
    this.#snapshot = parts.snapshot;
    this.#fresh = parts.journalBytes;
    this.#journal = new JournalWriter(parts.journalFolder, parts.ports.files, parts.last);
    this.queue = new CommitQueue({
      journal: this.#journal,
      apply: (entries, last) => parts.writer.write(entries, last),
      mayWrite: () => parts.lock.isHeld(),
    });
  }

  /** Whether the journal has reached the size of the last snapshot, and a minimum size. */
  isSnapshotDue(): boolean {
    const dueAt = Math.max(this.#parts.snapshotAfter, this.#snapshot?.bytes ?? 0);
    return this.#snapshotting === null && this.#fresh + this.#journal.written >= dueAt;
  }

  /** Whether much has changed since the working file was last updated. */
  isCheckpointDue(): boolean {
    return this.#checkpointing === null && this.#parts.working.pending >= this.#parts.checkpointAfter;
  }

  /** Updates the working file, so that the next start has less to replay. Calls made during a checkpoint share it. */
  checkpoint(): Promise<Result<void, SnapshotReason>> {
    this.#checkpointing ??= this.#next(async (): Promise<Result<void, SnapshotReason>> => {
      const done = await this.#checkpoint();
      return done.ok ? succeed(undefined) : done;
    }).finally(() => (this.#checkpointing = null));
    return this.#checkpointing;
  }

  /** Makes a new snapshot, unless there are no new entries. Calls made during a snapshot share it. */
  snapshot(): Promise<Result<SnapshotReport, SnapshotReason>> {
    this.#snapshotting ??= this.#next(() => this.#makeSnapshot()).finally(() => (this.#snapshotting = null));
    return this.#snapshotting;
  }

  /** Rewrites everything without the space of removed rows. Appends wait during that time. */
  compact(): Promise<Result<SnapshotReport, SnapshotReason>> {
    return this.#next(() => this.queue.runExclusive(() => this.#compact()));
  }

  async #compact(): Promise<Result<SnapshotReport, SnapshotReason>> {
    const { store, working, db, ports, lock } = this.#parts;
    if (!(await lock.isHeld())) return fail("lock_lost", sentence("another process took over the ledger"));
    return this.#try(store.current, async () => {
      const before = performance.now();
      const applied = await this.#endSegment();
      const written = await writeCompacted(store.current, db, ports);
      if (!(await lock.isHeld())) throw new LockLost();
      await store.adopt(written, applied);
      // Before the journal is trimmed: the working file may hold fewer entries than the snapshot.
      await working.restart(store.current, (pages) => db.replaceContent(pagedContent(ports.engine, pages)));
      await this.#noteSnapshot({ bytes: written.bytes, applied }, this.#journal.written);
      return { bytes: written.bytes, applied, blockedMs: performance.now() - before };
    });
  }

  async #makeSnapshot(): Promise<Result<SnapshotReport, SnapshotReason>> {
    const { store, working, ports } = this.#parts;
    const known = this.#snapshot;
    const journaled = this.#journal.written;
    const done = await this.#checkpoint();
    if (!done.ok) return done;
    // Only sums are new; they can be derived again, and are in the working file now.
    if (known?.applied === done.value.applied) return succeed({ ...done.value, bytes: known.bytes });
    return this.#try(store.current, async () => {
      const { applied } = done.value;
      const written = await writeSnapshot(store.current, (write) => working.copy(write), ports);
      await store.adopt(written, applied);
      await this.#noteSnapshot({ bytes: written.bytes, applied }, journaled);
      return { ...done.value, bytes: written.bytes };
    });
  }

  /** @param journaled bytes of journal that the snapshot covers */
  async #noteSnapshot(snapshot: Pick<SnapshotReport, "bytes" | "applied">, journaled: number): Promise<void> {
    const { journalFolder, damaged, ports } = this.#parts;
    this.#snapshot = snapshot;
    this.#fresh = -journaled;
    await trimJournal(journalFolder, { files: ports.files, upTo: snapshot.applied, damaged });
  }

  async #checkpoint(): Promise<Result<Pick<SnapshotReport, "applied" | "blockedMs">, SnapshotReason>> {
    const { working, lock } = this.#parts;
    if (!(await lock.isHeld())) return fail("lock_lost", sentence("another process took over the ledger"));
    return this.#try(working.path, async () => {
      let [applied, blockedMs] = [0, 0];
      const between = <Value>(work: () => Value): Promise<Value> =>
        this.queue.runExclusive(async () => {
          applied = await this.#endSegment();
          const before = performance.now();
          const value = work();
          blockedMs = performance.now() - before;
          return value;
        });
      const isDone = await working.checkpoint({ between, mayWrite: () => lock.isHeld() });
      if (!isDone) throw new LockLost();
      return { applied, blockedMs };
    });
  }

  /** Later entries go into another segment. @returns the number of the last entry, now stored in the tables */
  async #endSegment(): Promise<number> {
    await this.#journal.endSegment();
    const applied = this.#journal.next - 1;
    this.#parts.writer.markApplied(applied);
    this.#parts.writer.commit();
    return applied;
  }

  /** Faults on disk, in words. */
  check(): Promise<string[]> {
    const { db, store, working, journalFolder, ports } = this.#parts;
    return this.#next(() =>
      this.queue.runExclusive(async () => {
        const page = await working.damage();
        const faults = await store.faults();
        // The working file has all contents of a damaged snapshot: the journal need not have them.
        const held = faults.length === 0 ? 0 : appliedIn(db);
        const applied = this.#snapshot?.applied ?? held;
        const journal = await readJournal(
          { folder: journalFolder, files: ports.files, applied },
          () => undefined,
        );
        return [
          ...(page === null ? [] : [`${working.path}: page ${page} is damaged`]),
          ...[...faults, ...journal.faulty].map(({ path: file, reason }) => `${file}: ${reason}`),
          ...(journal.lost > 0 ? [`${journalFolder}: ${journal.lost} entries are missing`] : []),
        ];
      }),
    );
  }

  backup(file: string): Promise<Result<SnapshotReport, SnapshotReason | "exists">> {
    const { ports, working } = this.#parts;
    return this.#next(async () => {
      const done = await this.#checkpoint();
      if (!done.ok) return done;
      const copied = await this.#try(file, () => writeSnapshot(file, (write) => working.copy(write), ports));
      if (!copied.ok) return copied;
      const { temporary, bytes } = copied.value;
      const named = await this.#name(temporary, file);
      return named.ok ? succeed({ ...done.value, bytes }) : named;
    });
  }

  /** Gives a temporary file its final name, which must not exist yet. */
  async #name(temporary: string, file: string): Promise<Result<void, SnapshotReason | "exists">> {
    const { files } = this.#parts.ports;
    try {
      try {
        await files.link(temporary, file);
      } finally {
        await files.remove(temporary);
      }
      await files.flushFolder(path.dirname(file));
      return succeed(undefined);
    } catch (error) {
      if (errorCode(error) === "EEXIST")
        return fail("exists", sentence("{0} exists; give another name", file));
      return writeFailure(error, file);
    }
  }

  async *stream(): AsyncGenerator<Uint8Array> {
    const { ports, store, working } = this.#parts;
    const written = await this.#next(async () => {
      const done = await this.#checkpoint();
      if (!done.ok) throw new Error(done.detail.text);
      return writeSnapshot(store.current, (write) => working.copy(write), ports);
    });
    const file = await ports.files.open(written.temporary, "read");
    try {
      yield* piecesOf(file);
    } finally {
      await file.close();
      await ports.files.remove(written.temporary);
    }
  }

  /** Resolves after the write in progress. */
  async end(): Promise<void> {
    await this.#last;
    await this.queue.runExclusive(() => this.#journal.endSegment());
  }

  /** Lets another process write; called once the files are closed. */
  async release(): Promise<void> {
    await this.#parts.lock.release();
  }

  #next<Value>(work: () => Promise<Value>): Promise<Value> {
    const result = this.#last.then(work);
    // The caller receives a failure of `work`; later work in the queue still runs.
    this.#last = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  /** @param file the file being written, for messages */
  async #try<Value>(
    file: string,
    work: () => Promise<Value>,
  ): Promise<Result<Value, Exclude<SnapshotReason, "read_only">>> {
    try {
      return succeed(await work());
    } catch (error) {
      if (error instanceof LockLost)
        return fail("lock_lost", sentence("another process took over the ledger"));
      if (error instanceof DamagedPage) return fail("damaged", plainSentence(error.message));
      return writeFailure(error, file);
    }
  }
}

class LockLost extends Error {}

function writeFailure(error: unknown, file: string): Failure<"disk_full" | "write_failed"> {
  const code = errorCode(error);
  return fail(isDiskFull(code) ? "disk_full" : "write_failed", withRefusalRemedy(compose`${file}: ${code}`));
}
