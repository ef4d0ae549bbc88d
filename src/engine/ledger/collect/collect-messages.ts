import type { Result } from "../../base/result.ts";
import type { Freshness } from "../answers.ts";
import type { Acknowledgement, AppendReason } from "../commit-queue.ts";
import type { LedgerEntry } from "../entry.ts";
import type { FilePosition } from "../queries.ts";

/** What the collecting thread is to begin with. */
export interface CollectTask {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** How far the transcripts have been read, as the ledger knows it. */
  readonly positions: ReadonlyMap<string, FilePosition>;
}

/** To the thread. */
export type CollectRequest =
  | { readonly kind: "start"; readonly task: CollectTask }
  /** What became of the batch that was last told. */
  | { readonly kind: "appended"; readonly result: Result<Acknowledgement, AppendReason> }
  | { readonly kind: "catch-up"; readonly id: number }
  | { readonly kind: "stop" };

/** From the thread. */
export type CollectReport =
  /** A batch. The next one comes only after this one's answer. */
  | { readonly kind: "append"; readonly entries: readonly LedgerEntry[] }
  | { readonly kind: "freshness"; readonly freshness: Freshness }
  | { readonly kind: "caught-up"; readonly id: number; readonly freshness: Freshness }
  /** Something went wrong that the thread survives; for the log. */
  | { readonly kind: "problem"; readonly message: string }
  /** Nothing more comes. */
  | { readonly kind: "stopped" };
