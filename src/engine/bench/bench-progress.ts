import type { Sentence } from "../base/text/sentence.ts";
import type { TokenUsage } from "../usage/token-counts.ts";
import type { BenchRun } from "./run-facts.ts";
import type { BenchPlan } from "./plan/plan.ts";

/** Identifies a run by its position in the schedule. */
interface RunPlace {
  readonly id: string;
  /** Index of the configuration. */
  readonly side: number;
  readonly agent: string;
  readonly taskId: string;
  /** From 1. */
  readonly round: number;
}

/** A run in progress, as its transcript shows so far. */
export interface LiveRun extends RunPlace {
  /** Responses of the main chain so far. */
  readonly turns: number;
  readonly toolCalls: number;
  /** The tool called last and its arguments, abbreviated; null before the first. The agent's text: cleaned before it is shown. */
  readonly tool: string | null;
  readonly usage: TokenUsage;
  readonly processingTokens: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds since it started. */
  readonly elapsedMs: number;
}

/** Why a bench stopped before its last run. */
export type PauseReason = "environment" | "token-cap" | "budget";

/** Progress events of a bench. */
export type BenchProgress =
  /** Before anything is spent. After a resume, covers the remaining runs. */
  | { readonly kind: "plan"; readonly plan: BenchPlan }
  /** Runs made by an earlier process of this bench: reported once, when it is resumed. */
  | { readonly kind: "resumed"; readonly runs: readonly BenchRun[] }
  | { readonly kind: "started"; readonly run: RunPlace; readonly at: number }
  /** At most four a second for each run; the last one is always sent. */
  | { readonly kind: "live"; readonly run: LiveRun }
  /** The run is written. `done` of `of` runs are complete. */
  | { readonly kind: "ended"; readonly run: BenchRun; readonly done: number; readonly of: number }
  | { readonly kind: "paused"; readonly reason: PauseReason; readonly detail: Sentence }
  | { readonly kind: "done" };
