import type { Failure, Result } from "../../base/result.ts";
import type { SessionRoot } from "../../transcripts/agents.ts";
import type { Anomaly, Freshness } from "../ledger-answers.ts";
import type { CollectTask } from "../collect/collecting.ts";
import type { Acknowledgement, AppendReason } from "../journal/commit-queue.ts";
import type { LedgerEntry } from "../entries/entries-entry.ts";
import type { ExportOptions, SharedExportOptions } from "../export-ledger.ts";
import type { ReadOnlyReason } from "../ledger.ts";
import type { SnapshotReason, SnapshotReport } from "../store/writing.ts";
import type { OpenReason } from "../store/open.ts";
import type { OpeningReport } from "../store/opening-report.ts";
import type { QuestionAnswer, QuestionName, QuestionParams } from "../questions/questions.ts";
import type { RestoreReason, RestoreReport } from "../store/restore.ts";

export interface LedgerTask {
  /** `~/.purser`. */
  readonly folder: string;
  /** The `sql-wasm.wasm.br` beside the bundles. */
  readonly wasmPath: string;
  readonly access?: "read" | "write";
  /** The user's figures for models, as in the setting. */
  readonly models: unknown;
}

export interface OpenedLedger {
  readonly report: OpeningReport;
  readonly readOnly: Failure<ReadOnlyReason> | null;
}

/** Restores a folder's ledger from a backup. */
export interface RestoreTask extends Pick<LedgerTask, "folder" | "wasmPath"> {
  readonly backup: string;
}

/** Commands to the thread and their answers. Questions are in `questions.ts`. */
export interface LedgerCalls {
  restore: { asked: RestoreTask; answer: Result<RestoreReport, RestoreReason> };
  open: { asked: LedgerTask; answer: Result<OpenedLedger, OpenReason> };
  /** Sent when the user's figures for models have changed. */
  configure: { asked: { readonly models: unknown }; answer: null };
  append: { asked: readonly LedgerEntry[]; answer: Result<Acknowledgement, AppendReason> };
  snapshot: { asked: null; answer: Result<SnapshotReport, SnapshotReason> };
  compact: { asked: null; answer: Result<SnapshotReport, SnapshotReason> };
  check: { asked: null; answer: readonly string[] };
  backup: { asked: string; answer: Result<SnapshotReport, SnapshotReason | "exists"> };
  /** Starts a stream and returns its number. */
  export: { asked: ExportOptions | SharedExportOptions; answer: number };
  /** The next bytes of a stream, or null at its end. */
  next: { asked: number; answer: Uint8Array | null };
  stop: { asked: number; answer: null };
  collect: { asked: CollectTask; answer: null };
  catchUp: { asked: null; answer: Freshness };
  addRoots: { asked: readonly SessionRoot[]; answer: null };
  stopCollecting: { asked: null; answer: null };
  close: { asked: null; answer: null };
}

export type CallName = keyof LedgerCalls;

interface QuestionRequest<Name extends QuestionName> {
  readonly id: number;
  readonly question: Name;
  readonly asked: QuestionParams<Name>;
}

export type LedgerRequest =
  | QuestionRequest<QuestionName>
  | {
      [Name in CallName]: {
        readonly id: number;
        readonly call: Name;
        readonly asked: LedgerCalls[Name]["asked"];
      };
    }[CallName];

export type LedgerAnswer = LedgerCalls[CallName]["answer"] | QuestionAnswer<QuestionName>;

/** A message from the thread. `Answer` is the answer type of the call with this id. */
export type LedgerReply<Answer> =
  | { readonly kind: "answer"; readonly id: number; readonly answer: Answer }
  /** The call threw: a bug of purser. */
  | { readonly kind: "fault"; readonly id: number; readonly message: string }
  | { readonly kind: "appended"; readonly last: number }
  | { readonly kind: "anomaly"; readonly anomaly: Anomaly }
  | { readonly kind: "problem"; readonly problem: LedgerProblem }
  | { readonly kind: "freshness"; readonly freshness: Freshness }
  /** A problem that collecting survives; for the log. */
  | { readonly kind: "complaint"; readonly message: string };

/** A snapshot failed, or the search for anomalies failed; both are retried later. */
export type LedgerProblem = Failure<SnapshotReason | AppendReason | "search_failed">;
