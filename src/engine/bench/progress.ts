import type { TokenUsage } from "../usage/token-counts.ts";
import type { BenchRun } from "./run-facts.ts";
import type { BenchPlan } from "./plan/plan.ts";

/** Which run: its place in the schedule. */
interface RunPlace {
  readonly id: string;
  /** Index of the configuration. */
  readonly side: number;
  readonly agent: string;
  readonly taskId: string;
  /** From 1. */
  readonly round: number;
}

/** A run that goes on, as its transcript tells so far. */
export interface LiveRun extends RunPlace {
  /** Responses of the main chain so far. */
  readonly turns: number;
  readonly toolCalls: number;
  /** The tool that was called last, and what with, in few words; null before the first. Text of the agent: cleaned before it is shown. */
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

/** What a bench tells while it goes on. */
export type BenchProgress =
  /** Before anything is spent; also when it is resumed, with what is left. */
  | { readonly kind: "plan"; readonly plan: BenchPlan }
  /** Runs that an earlier process of this bench made: told once, when it is resumed. */
  | { readonly kind: "resumed"; readonly runs: readonly BenchRun[] }
  | { readonly kind: "started"; readonly run: RunPlace; readonly at: number }
  /** At most four a second for each run, and the last one always. */
  | { readonly kind: "live"; readonly run: LiveRun }
  /** It is written. `done` of `of` runs are made. */
  | { readonly kind: "ended"; readonly run: BenchRun; readonly done: number; readonly of: number }
  | { readonly kind: "paused"; readonly reason: PauseReason; readonly detail: string }
  | { readonly kind: "done" };
