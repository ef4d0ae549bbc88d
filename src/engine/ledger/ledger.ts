import { setImmediate as nextTurn } from "node:timers/promises";
import * as z from "zod";
import { Emitter } from "../base/emitter.ts";
import { fail, succeed, type Failure, type Result } from "../base/result.ts";
import type { UsageReport } from "../usage/usage-groups.ts";
import type { Catalogue } from "../usage/catalogue.ts";
import type { LearnedThresholds } from "../context/headroom.ts";
import type { Anomaly, LedgerFilter, Overview, SessionPage } from "./answers.ts";
import { selectAnomalies, type AnomalyQuery } from "./anomaly-queries.ts";
import { AnomalyRecorder } from "./anomaly-recorder.ts";
import type { Acknowledgement, AppendReason } from "./commit-queue.ts";
import type { Database } from "./database.ts";
import { ledgerEntry, type LedgerEntry } from "./entry.ts";
import type { EntryWriter } from "./entry-writer.ts";
import { exportTables, type ExportOptions } from "./export.ts";
import { selectHookProfile, type HookProfileRow } from "./hook-profile.ts";
import { nextHookSum } from "./hook-sums.ts";
import { selectGoldenBook, type GoldenBook } from "./golden-book.ts";
import type { LedgerBasis } from "./ledger-basis.ts";
import type { LedgerWriting, SnapshotReason, SnapshotReport } from "./ledger-writing.ts";
import type { OpeningReport } from "./opening-report.ts";
import { overviewOf } from "./overview.ts";
import type { WorkingFile } from "./pages/working-file.ts";
import { bytesOf } from "./pages/write-pages.ts";
import {
  selectPosition,
  selectPositions,
  selectReadFiles,
  selectRecentRuns,
  selectRecentTokens,
  selectResponses,
  selectSessions,
  selectThresholds,
  type FilePosition,
  type ReadFile,
  type LedgerResponse,
  type LedgerSession,
  type RecentRuns,
  type RunsAsked,
  type SessionFilter,
} from "./queries.ts";
import { isPlainEntry } from "./plain-entry.ts";
import { selectReportFacts, type ReportFacts } from "./report-facts.ts";
import {
  selectRealRuns,
  selectReceipt,
  selectRentFacts,
  selectRuleBook,
  type RealRun,
  type RentFacts,
  type RuleBook,
} from "./rule-book.ts";
import { sessionPageOf } from "./session-page.ts";
import { integrityFaults } from "./snapshot-store.ts";
import {
  selectSessionFolders,
  selectSpent,
  SpentWatch,
  type SpentAsked,
  type SpentTokens,
} from "./spent-tokens.ts";
import type { UsageQuery } from "./usage-question.ts";
import { UsageRollup } from "./usage-rollup.ts";
import { selectUseCounts, type UseCounts } from "./use-counts.ts";

/** Why a ledger is open for reading only. */
export type ReadOnlyReason = "asked" | "locked" | "unwritable_folder" | "newer_version";

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

  /**
   * The same report as `aggregateUsage` makes of all responses counted once; by tool, skill or server, what each one's calls
   * were of them.
   */
  usage({ catalogue, dayOf, zone, ...query }: UsageQuery & LedgerBasis): UsageReport {
    return this.#rollup.report(query, { catalogue, dayOf, ...(zone === undefined ? {} : { zone }) });
  }

  overview(filter: LedgerFilter, basis: LedgerBasis): Overview {
    return overviewOf({ db: this.#db, rollup: this.#rollup, basis }, filter);
  }

  /** Null when the ledger knows no such session. */
  sessionPage(id: string, basis: LedgerBasis): SessionPage | null {
    return sessionPageOf(this.#db, basis, id);
  }

  /** The newest first. */
  anomalies(query: AnomalyQuery = {}): Anomaly[] {
    return selectAnomalies(this.#db, query);
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

  /** The most recently active first. */
  sessions(filter: SessionFilter = {}): LedgerSession[] {
    return selectSessions(this.#db, filter);
  }

  /** A session's counted responses, its subagents' among them, in the order of their times. */
  responses(sessionId: string): LedgerResponse[] {
    return selectResponses(this.#db, sessionId);
  }

  learnedThresholds(catalogue: Catalogue): LearnedThresholds {
    return selectThresholds(this.#db, catalogue);
  }

  /** How far transcripts have been read, by path, without what their readers remember. */
  positions(): ReadonlyMap<string, FilePosition> {
    return selectPositions(this.#db);
  }

  /** How far a transcript has been read, and what its reader remembers; null when it was not. */
  position(path: string): FilePosition | null {
    return selectPosition(this.#db, path);
  }

  /** What transcripts were when they were read, by path. */
  readFiles(): ReadonlyMap<string, ReadFile> {
    return selectReadFiles(this.#db);
  }

  recentRuns(agent: string): RecentRuns {
    return selectRecentRuns(this.#db, agent);
  }

  /** Of an agent's last completed runs of real work, the newest first: 50 at most. Processing tokens. */
  recentTokens(asked: RunsAsked): number[] {
    return selectRecentTokens(this.#db, asked);
  }

  /**
   * What sessions used that changed since this was last asked, at first since the ledger was opened: each session whole. Whoever asks must
   * keep the answer until it is of no more use.
   *
   * @param since what was used before it is told in one sum, not by local day. Milliseconds since the epoch
   */
  takeSpent(since: number, { dayOf }: Pick<LedgerBasis, "dayOf">): SpentTokens[] {
    return this.#spent.take(since, dayOf);
  }

  /** What the sessions that began in some folders used, each session whole. */
  spentIn(asked: SpentAsked, { dayOf }: Pick<LedgerBasis, "dayOf">): SpentTokens[] {
    return selectSpent(this.#db, asked, dayOf);
  }

  /** The folders that sessions began in. */
  sessionFolders(): string[] {
    return selectSessionFolders(this.#db);
  }

  /** Rules, what happened to them, their receipts and compiled memories. */
  ruleBook(): RuleBook {
    return selectRuleBook(this.#db);
  }

  /** A receipt's JSON, or null where there is none. */
  receipt(id: string): string | null {
    return selectReceipt(this.#db, id);
  }

  /** @param most of an agent's @param project null for all */
  realRuns(most: number, project: string | null = null): RealRun[] {
    return selectRealRuns(this.#db, most, project);
  }

  /** Golden tasks' runs and baselines, and what was spent. @param since milliseconds since the epoch */
  goldenBook(since: number): GoldenBook {
    return selectGoldenBook(this.#db, since);
  }

  /** How suites stand, open questions, and what was spent. @param since milliseconds since the epoch */
  reportFacts(since: number): ReportFacts {
    return selectReportFacts(this.#db, since);
  }

  /** What purser's own hooks took. @param since milliseconds since the epoch */
  hookProfile(since: number): HookProfileRow[] {
    return selectHookProfile(this.#db, since);
  }

  rentFacts(): RentFacts {
    return selectRentFacts(this.#db);
  }

  /** Sessions, subagents and uses of skills by folder. @param since milliseconds since the epoch */
  useCounts(since: number): UseCounts {
    return selectUseCounts(this.#db, since);
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
