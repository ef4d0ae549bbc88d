import { setImmediate as nextTurn } from "node:timers/promises";
import * as z from "zod";
import { Emitter } from "../base/emitter.ts";
import { fail, succeed, type Failure, type Result } from "../base/result.ts";
import { builtInCatalogue } from "../usage/catalogue.ts";
import { localDays } from "../usage/local-day.ts";
import type { Anomaly } from "./answers.ts";
import { AnomalyRecorder } from "./anomalies/recorder.ts";
import type { Acknowledgement, AppendReason } from "./journal/commit-queue.ts";
import type { Database } from "./store/database.ts";
import { ledgerEntry, type LedgerEntry } from "./entries/entry.ts";
import type { EntryWriter } from "./store/entry-writer.ts";
import { exportTables, type ExportOptions } from "./export.ts";
import { nextHookSum } from "./sums/by-hook.ts";
import type { LedgerBasis } from "./basis.ts";
import type { LedgerWriting, SnapshotReason, SnapshotReport } from "./store/writing.ts";
import type { OpeningReport } from "./store/opening-report.ts";
import type { WorkingFile } from "./pages/working-file.ts";
import { bytesOf } from "./pages/write.ts";
import { isPlainEntry } from "./entries/plain.ts";
import {
  answerQuestion,
  type QuestionAnswer,
  type QuestionName,
  type QuestionParams,
} from "./questions/questions.ts";
import { integrityFaults } from "./store/snapshots.ts";
import { SpentWatch } from "./questions/spent-tokens.ts";
import { UsageRollup } from "./sums/usage-rollup.ts";

/** Why a ledger is open for reading only. */
export type ReadOnlyReason = "asked" | "locked" | "unwritable_folder" | "newer_version";

/** Where whoever asks says nothing else. */
const usualBasis: LedgerBasis = { catalogue: builtInCatalogue, dayOf: localDays() };

export interface LedgerParts {
  readonly db: Database;
  readonly writer: EntryWriter;
  readonly report: OpeningReport;
  readonly readOnly: Failure<ReadOnlyReason> | null;
  readonly working: WorkingFile;
  /** Null when the ledger is read-only. */
  readonly writing: LedgerWriting | null;
}

/** Everything purser remembers. Made by `openLedger`. Answers come from memory, at once; what is appended is durable first. */
export class Ledger {
  /** What opening found. */
  readonly report: OpeningReport;
  readonly readOnly: Failure<ReadOnlyReason> | null;
  /** Entries were applied; the number of the last one. */
  readonly #appended = new Emitter<number>();
  readonly onAppend = this.#appended.on;
  /** A checkpoint or snapshot the ledger made by itself failed. It is tried again later; the journal keeps everything meanwhile. */
  readonly #problems = new Emitter<Failure<SnapshotReason>>();
  readonly onProblem = this.#problems.on;
  readonly #db: Database;
  readonly #working: WorkingFile;
  readonly #writing: LedgerWriting | null;
  readonly #rollup: UsageRollup;
  readonly #anomalies: AnomalyRecorder;
  readonly #spent: SpentWatch;
  #isClosed = false;

  constructor({ db, writer, working, report, readOnly, writing }: LedgerParts) {
    this.#db = db;
    this.#working = working;
    this.report = report;
    this.readOnly = readOnly;
    this.#writing = writing;
    this.#rollup = new UsageRollup(db, writer.changes);
    this.#anomalies = new AnomalyRecorder(db, writer.changes);
    this.#spent = new SpentWatch(db, writer.changes);
  }

  /**
   * Makes entries durable and part of every answer: all of them or none, unless the machine dies meanwhile; then perhaps
   * the first of them. Telling the same again changes nothing. Many thousand are better told in several appends.
   */
  async append(entries: readonly LedgerEntry[]): Promise<Result<Acknowledgement, AppendReason>> {
    if (this.#isClosed) return fail("closed", "the ledger is closed");
    if (this.#writing === null) return fail("read_only", this.readOnly?.detail ?? "the ledger is read-only");
    for (const [index, entry] of entries.entries()) {
      if (isPlainEntry(entry)) continue;
      const result = ledgerEntry.safeParse(entry);
      if (!result.success) return fail("bad_entry", `entry ${index}: ${z.prettifyError(result.error)}`);
    }
    const done = await this.#writing.queue.append(entries);
    if (done.ok) {
      this.#appended.fire(done.value.last);
      if (this.#writing.isSnapshotDue()) void this.#byItself(this.#writing.snapshot());
      else if (this.#writing.isCheckpointDue()) void this.#byItself(this.#writing.checkpoint());
    }
    return done;
  }

  /** Answers a question (`questions.ts`) at once. @param basis for prices and days; the built-in catalogue and this machine's days where it says nothing */
  ask<Name extends QuestionName>(
    name: Name,
    asked: QuestionParams<Name>,
    basis: Partial<LedgerBasis> = {},
  ): QuestionAnswer<Name> {
    const context = { db: this.#db, rollup: this.#rollup, spent: this.#spent };
    return answerQuestion(name, asked, { ...context, basis: { ...usualBasis, ...basis } });
  }

  /**
   * Looks for what stands out in sessions that changed since the last call, at first in those of the last day, and records
   * it. A session at a time, so that others get their turn.
   *
   * @param now milliseconds since the epoch
   * @returns what is new and not history: a person may be told. The same is never returned twice.
   */
  async recordAnomalies(now: number): Promise<Result<readonly Anomaly[], AppendReason>> {
    if (this.#isClosed) return fail("closed", "the ledger is closed");
    return this.#anomalies.record(now, (entries) => this.append(entries));
  }

  /**
   * Sums up single hooks that have been kept long enough. Some hundred at a time, so that others get their turn.
   *
   * @param now milliseconds since the epoch
   */
  async sumHooks(now: number): Promise<Result<void, AppendReason>> {
    for (;;) {
      if (this.#isClosed) return fail("closed", "the ledger is closed");
      const before = nextHookSum(this.#db, now);
      if (before === null) return succeed(undefined);
      const done = await this.append([{ kind: "sum-hooks", before }]);
      if (!done.ok) return done;
      await nextTurn();
    }
  }

  /** Streams what the ledger holds. What is appended meanwhile may or may not be in it. */
  export(options: ExportOptions): AsyncIterable<Uint8Array> {
    const whole = () => this.#writing?.stream() ?? bytesOf(this.#working.pages);
    return exportTables(this.#db, whole, options);
  }

  /** Brings the working file up to date, so that the next start has less to do. */
  async checkpoint(): Promise<Result<void, SnapshotReason>> {
    if (this.#writing === null) return fail("read_only", this.readOnly?.detail ?? "the ledger is read-only");
    return this.#writing.checkpoint();
  }

  /** Writes the snapshot anew and lets go of the journal it makes unnecessary. */
  async snapshot(): Promise<Result<SnapshotReport, SnapshotReason>> {
    if (this.#writing === null) return fail("read_only", this.readOnly?.detail ?? "the ledger is read-only");
    return this.#writing.snapshot();
  }

  /** Gives back the room of what was removed, then makes a snapshot. */
  async compact(): Promise<Result<SnapshotReport, SnapshotReason>> {
    if (this.#writing === null) return fail("read_only", this.readOnly?.detail ?? "the ledger is read-only");
    return this.#writing.compact();
  }

  /** Looks through everything in memory and on disk, and tells what is wrong in words; empty when nothing is. */
  async check(): Promise<string[]> {
    const inMemory = integrityFaults(this.#db).map((words) => `the ledger in memory: ${words}`);
    return [...inMemory, ...((await this.#writing?.check()) ?? [])];
  }

  /** Writes a copy to a file that does not exist yet: an SQLite file that `restoreLedger` and any SQLite read. */
  async backup(file: string): Promise<Result<SnapshotReport, SnapshotReason | "exists">> {
    if (this.#writing === null) return fail("read_only", this.readOnly?.detail ?? "the ledger is read-only");
    return this.#writing.backup(file);
  }

  /** Finishes what was appended and lets the lock go. Entries stay in the journal; make a snapshot before, for a faster start. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#anomalies.end();
    await this.#writing?.end();
    this.#appended.dispose();
    this.#problems.dispose();
    this.#db.close();
    await this.#working.close();
    await this.#writing?.release();
  }

  async #byItself(work: Promise<Result<unknown, SnapshotReason>>): Promise<void> {
    const made = await work;
    if (!made.ok) this.#problems.fire(made);
  }
}
