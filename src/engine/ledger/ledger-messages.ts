import type { Failure, Result } from "../base/result.ts";
import type { UsageReport } from "../usage/usage-groups.ts";
import type { LearnedThreshold } from "../context/headroom.ts";
import type { Anomaly, Freshness, LedgerFilter, Overview, SessionPage } from "./answers.ts";
import type { AnomalyQuery } from "./anomaly-queries.ts";
import type { CollectTask } from "./collect/collecting.ts";
import type { Acknowledgement, AppendReason } from "./commit-queue.ts";
import type { LedgerEntry } from "./entry.ts";
import type { ExportOptions } from "./export.ts";
import type { GoldenBook } from "./golden-book.ts";
import type { HookProfileRow } from "./hook-profile.ts";
import type { ReadOnlyReason } from "./ledger.ts";
import type { SnapshotReason, SnapshotReport } from "./ledger-writing.ts";
import type { OpenReason } from "./open-ledger.ts";
import type { OpeningReport } from "./opening-report.ts";
import type { RealRun, RentFacts, RuleBook } from "./rule-book.ts";
import type { ReportFacts } from "./report-facts.ts";
import type { RestoreReason, RestoreReport } from "./restore-ledger.ts";
import type {
  FilePosition,
  LedgerResponse,
  LedgerSession,
  RecentRuns,
  RunsAsked,
  SessionFilter,
} from "./queries.ts";
import type { SpentAsked, SpentTokens } from "./spent-tokens.ts";
import type { UsageQuery } from "./usage-question.ts";
import type { UseCounts } from "./use-counts.ts";

/** What the ledger's thread is to open. */
export interface LedgerTask {
  /** `~/.purser`. */
  readonly folder: string;
  /** The `sql-wasm.wasm` beside the bundles. */
  readonly wasmPath: string;
  readonly access?: "read" | "write";
  /** The user's figures for models, as in the setting. */
  readonly models: unknown;
}

export interface OpenedLedger {
  readonly report: OpeningReport;
  readonly readOnly: Failure<ReadOnlyReason> | null;
}

/** What is to be put in the place of the ledger in a folder. */
export interface RestoreTask extends Pick<LedgerTask, "folder" | "wasmPath"> {
  readonly backup: string;
}

/** What the thread can be asked, and what it answers. */
export interface LedgerCalls {
  restore: { asked: RestoreTask; answer: Result<RestoreReport, RestoreReason> };
  open: { asked: LedgerTask; answer: Result<OpenedLedger, OpenReason> };
  /** The user's figures for models changed. */
  configure: { asked: { readonly models: unknown }; answer: null };
  append: { asked: readonly LedgerEntry[]; answer: Result<Acknowledgement, AppendReason> };
  usage: { asked: UsageQuery; answer: UsageReport };
  overview: { asked: LedgerFilter; answer: Overview };
  sessionPage: { asked: string; answer: SessionPage | null };
  anomalies: { asked: AnomalyQuery; answer: readonly Anomaly[] };
  sessions: { asked: SessionFilter; answer: readonly LedgerSession[] };
  responses: { asked: string; answer: readonly LedgerResponse[] };
  thresholds: { asked: null; answer: ReadonlyMap<string, LearnedThreshold> };
  positions: { asked: null; answer: ReadonlyMap<string, FilePosition> };
  recentRuns: { asked: string; answer: RecentRuns };
  recentTokens: { asked: RunsAsked; answer: readonly number[] };
  takeSpent: { asked: number; answer: readonly SpentTokens[] };
  spentIn: { asked: SpentAsked; answer: readonly SpentTokens[] };
  sessionFolders: { asked: null; answer: readonly string[] };
  ruleBook: { asked: null; answer: RuleBook };
  receipt: { asked: string; answer: string | null };
  realRuns: { asked: { most: number; project: string | null }; answer: readonly RealRun[] };
  rentFacts: { asked: null; answer: RentFacts };
  /** Asked with the time that uses are counted from: milliseconds since the epoch. */
  useCounts: { asked: number; answer: UseCounts };
  /** Asked with the time that spending is summed from: milliseconds since the epoch. */
  goldenBook: { asked: number; answer: GoldenBook };
  /** Asked with the time that spending is summed from: milliseconds since the epoch. */
  reportFacts: { asked: number; answer: ReportFacts };
  /** Asked with the time it is looked at from: milliseconds since the epoch. */
  hookProfile: { asked: number; answer: readonly HookProfileRow[] };
  snapshot: { asked: null; answer: Result<SnapshotReport, SnapshotReason> };
  compact: { asked: null; answer: Result<SnapshotReport, SnapshotReason> };
  check: { asked: null; answer: readonly string[] };
  backup: { asked: string; answer: Result<SnapshotReport, SnapshotReason | "exists"> };
  /** Begins a stream, whose number is answered. */
  export: { asked: ExportOptions; answer: number };
  /** The next bytes of a stream, or null at its end. */
  next: { asked: number; answer: Uint8Array | null };
  stop: { asked: number; answer: null };
  /** Begins to collect. */
  collect: { asked: CollectTask; answer: null };
  catchUp: { asked: null; answer: Freshness };
  stopCollecting: { asked: null; answer: null };
  close: { asked: null; answer: null };
}

export type CallName = keyof LedgerCalls;

export type LedgerRequest = {
  [Name in CallName]: {
    readonly id: number;
    readonly call: Name;
    readonly asked: LedgerCalls[Name]["asked"];
  };
}[CallName];

/** From the thread. `Answer` is that of the call with this id. */
export type LedgerReply<Answer> =
  | { readonly kind: "answer"; readonly id: number; readonly answer: Answer }
  /** The call threw: a bug of purser. */
  | { readonly kind: "fault"; readonly id: number; readonly message: string }
  | { readonly kind: "appended"; readonly last: number }
  | { readonly kind: "anomaly"; readonly anomaly: Anomaly }
  | { readonly kind: "problem"; readonly problem: LedgerProblem }
  | { readonly kind: "freshness"; readonly freshness: Freshness }
  /** Something went wrong that collecting survives; for the log. */
  | { readonly kind: "complaint"; readonly message: string };

/** A snapshot could not be made, or what stands out could not be looked for; both are tried again later. */
export type LedgerProblem = Failure<SnapshotReason | AppendReason | "search_failed">;
