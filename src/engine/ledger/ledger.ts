import { sentence, compose } from "../base/language.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Emitter } from "../base/events.ts";
import { projectFolder } from "../base/paths.ts";
import { fail, succeed, type Failure, type Result } from "../base/result.ts";
import { issuesText } from "../base/schema-issues.ts";
import { builtInCatalogue } from "../usage/catalogue.ts";
import { localDays } from "../usage/local-day.ts";
import type { Anomaly } from "./ledger-answers.ts";
import { AnomalyRecorder } from "./anomalies/anomalies-recorder.ts";
import type { Acknowledgement, AppendReason } from "./journal/commit-queue.ts";
import type { Database } from "./store/database.ts";
import { ledgerEntry, type LedgerEntry } from "./entries/entries-entry.ts";
import type { EntryWriter } from "./store/entry-writer.ts";
import { exportTables, type ExportOptions } from "./export-ledger.ts";
import { exportRows, type SharedOptions, type SharedPorts } from "./machines/export-rows.ts";
import { guardHitsKeptFor } from "./sums/by-guard.ts";
import { hooksKeptFor } from "./sums/by-hook.ts";
import { nextAged } from "./sums/summed-before.ts";
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
import { SpendingTracker } from "./questions/spent-tokens.ts";
import { UsageRollup } from "./sums/usage-rollup.ts";

/** Why a ledger is open read-only. */
export type ReadOnlyReason = "asked" | "locked" | "unwritable_folder" | "newer_version";

/** The default basis for callers that give none. */
const usualBasis: LedgerBasis = {
  catalogue: builtInCatalogue,
  dayOf: localDays(),
  projectOf: projectFolder,
};

export interface LedgerParts {
  readonly db: Database;
  readonly writer: EntryWriter;
  readonly report: OpeningReport;
  readonly readOnly: Failure<ReadOnlyReason> | null;
  readonly working: WorkingFile;
  /** Null when the ledger is read-only. */
  readonly writing: LedgerWriting | null;
}

/**
 * How long packets and scorecards are kept. Older packets are never offered, and a session's transcript yields them
 * again. A scorecard is computed again from the session's figures, with the median of that time. Milliseconds.
 */
const packetsKeptFor = 90 * 86_400_000;

/** Tables whose old rows are summed up or dropped. */
const agedTables: readonly {
  readonly table: Parameters<typeof nextAged>[1];
  readonly keptFor: number;
  readonly entryOf: (before: number) => LedgerEntry;
}[] = [
  {
    table: "hook_events",
    keptFor: hooksKeptFor,
    entryOf: (before) => ({ kind: "sum-hooks", before }),
  },
  {
    table: "guard_hits",
    keptFor: guardHitsKeptFor,
    entryOf: (before) => ({ kind: "age-out", of: "guard", before }),
  },
  {
    table: "resume_packets",
    keptFor: packetsKeptFor,
    entryOf: (before) => ({ kind: "age-out", of: "packets", before }),
  },
  {
    table: "scorecards",
    keptFor: packetsKeptFor,
    entryOf: (before) => ({ kind: "age-out", of: "scorecards", before }),
  },
];

/** Everything purser remembers. Made by `openLedger`. Answers come synchronously from memory; appended entries are durable before they count. */
export class Ledger {
  readonly report: OpeningReport;
  readonly readOnly: Failure<ReadOnlyReason> | null;
  /** Fires after entries were applied, with the number of the last one. */
  readonly #appended = new Emitter<number>();
  readonly onAppend = this.#appended.on;
  /** Fires when an automatic checkpoint or snapshot failed. It is retried later; until then the journal holds everything. */
  readonly #problems = new Emitter<Failure<SnapshotReason>>();
  readonly onProblem = this.#problems.on;
  readonly #db: Database;
  readonly #writer: EntryWriter;
  readonly #working: WorkingFile;
  readonly #writing: LedgerWriting | null;
  readonly #rollup: UsageRollup;
  readonly #anomalies: AnomalyRecorder;
  readonly #spent: SpendingTracker;
  #isClosed = false;

  constructor({ db, writer, working, report, readOnly, writing }: LedgerParts) {
    this.#db = db;
    this.#writer = writer;
    this.#working = working;
    this.report = report;
    this.readOnly = readOnly;
    this.#writing = writing;
    this.#rollup = new UsageRollup(db, writer.changes);
    this.#anomalies = new AnomalyRecorder(db, writer.changes);
    this.#spent = new SpendingTracker(db, writer.changes);
  }

  /**
   * Makes entries durable and part of every answer: all of them or none. If the machine dies during the write, possibly
   * only the first of them remain. Appending the same entries again changes nothing. Split many thousand entries into
   * several appends.
   */
  async append(entries: readonly LedgerEntry[]): Promise<Result<Acknowledgement, AppendReason>> {
    if (this.#isClosed) return fail("closed", sentence("the ledger is closed"));
    if (this.#writing === null)
      return fail("read_only", this.readOnly?.detail ?? sentence("the ledger is read-only"));
    for (const entry of entries.filter((each) => !isPlainEntry(each))) {
      const result = ledgerEntry.safeParse(entry);
      if (!result.success)
        return fail("bad_entry", compose`entry ${entries.indexOf(entry)}: ${issuesText(result.error)}`);
    }
    const done = await this.#writing.queue.append(entries);
    if (done.ok) {
      this.#appended.fire(done.value.last);
      if (this.#writing.isSnapshotDue()) void this.#runAutomatically(this.#writing.snapshot());
      else if (this.#writing.isCheckpointDue()) void this.#runAutomatically(this.#writing.checkpoint());
    }
    return done;
  }

  /** Answers a question (`questions.ts`) synchronously. @param basis for prices and days; defaults to the built-in catalogue and this machine's days */
  ask<Name extends QuestionName>(
    name: Name,
    asked: QuestionParams<Name>,
    basis: Partial<LedgerBasis> = {},
  ): QuestionAnswer<Name> {
    const context = { db: this.#db, rollup: this.#rollup, spent: this.#spent };
    return answerQuestion(name, asked, { ...context, basis: { ...usualBasis, ...basis } });
  }

  /**
   * Searches sessions that changed since the last call (at first, those of the last day) for anomalies and records
   * them. Yields after each session so that other work gets its turn.
   *
   * @param now milliseconds since the epoch
   * @returns new anomalies worth showing to the user, without old history. No anomaly is returned twice.
   */
  async recordAnomalies(now: number): Promise<Result<readonly Anomaly[], AppendReason>> {
    if (this.#isClosed) return fail("closed", sentence("the ledger is closed"));
    return this.#anomalies.record(now, (entries) => this.append(entries));
  }

  /**
   * Sums up single hook events and hits of guard rules past their retention time, and removes old packets. It handles a
   * few hundred at a time, so that other work gets its turn.
   *
   * @param now milliseconds since the epoch
   */
  async ageOut(now: number): Promise<Result<void, AppendReason>> {
    for (const { table, keptFor, entryOf } of agedTables) {
      for (;;) {
        if (this.#isClosed) return fail("closed", sentence("the ledger is closed"));
        const before = nextAged(this.#db, table, { keptFor, now });
        if (before === null) break;
        const done = await this.append([entryOf(before)]);
        if (!done.ok) return done;
        await nextTurn();
      }
    }
    return succeed(undefined);
  }

  /** Creates the indexes that are left out while the ledger is filled, before a question needs them. */
  index(tidy?: () => void): void {
    if (!this.#isClosed && this.#writing !== null) this.#writer.endFill(tidy);
  }

  /** Streams the ledger's contents. Entries appended during the export may or may not be included. */
  export(options: ExportOptions): AsyncIterable<Uint8Array> {
    const whole = () => this.#writing?.stream() ?? bytesOf(this.#working.pages);
    return exportTables(this.#db, whole, options);
  }

  /** Streams this machine's rows for another machine of the user. */
  exportRows(options: SharedOptions, ports: SharedPorts): AsyncIterable<Uint8Array> {
    return exportRows(this.#db, options, ports);
  }

  /** Brings the working file up to date, so that the next start has less to do. */
  async checkpoint(): Promise<Result<void, SnapshotReason>> {
    if (this.#writing === null)
      return fail("read_only", this.readOnly?.detail ?? sentence("the ledger is read-only"));
    return this.#writing.checkpoint();
  }

  /** Rewrites the snapshot and removes the journal segments it makes unnecessary. */
  async snapshot(): Promise<Result<SnapshotReport, SnapshotReason>> {
    if (this.#writing === null)
      return fail("read_only", this.readOnly?.detail ?? sentence("the ledger is read-only"));
    return this.#writing.snapshot();
  }

  /** Reclaims the space of removed rows, then makes a snapshot. */
  async compact(): Promise<Result<SnapshotReport, SnapshotReason>> {
    if (this.#writing === null)
      return fail("read_only", this.readOnly?.detail ?? sentence("the ledger is read-only"));
    return this.#writing.compact();
  }

  /** Checks everything in memory and on disk, and returns the faults in words; empty when there are none. */
  async check(): Promise<string[]> {
    const inMemory = integrityFaults(this.#db).map((words) => `the ledger in memory: ${words}`);
    return [...inMemory, ...((await this.#writing?.check()) ?? [])];
  }

  /** Writes a copy to a new file: an SQLite file that `restoreLedger` and any SQLite can read. */
  async backup(file: string): Promise<Result<SnapshotReport, SnapshotReason | "exists">> {
    if (this.#writing === null)
      return fail("read_only", this.readOnly?.detail ?? sentence("the ledger is read-only"));
    return this.#writing.backup(file);
  }

  /** Finishes pending appends and releases the lock. Entries stay in the journal; make a snapshot before, for a faster start. */
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

  async #runAutomatically(work: Promise<Result<unknown, SnapshotReason>>): Promise<void> {
    const made = await work;
    if (!made.ok) this.#problems.fire(made);
  }
}
