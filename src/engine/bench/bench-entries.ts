import type { LedgerEntry } from "../ledger/entries.ts";
import { cacheCreation, type TokenUsage } from "../usage/token-counts.ts";
import { measuresModel, type BenchRun } from "./run-facts.ts";
import type { Sentence } from "../base/language.ts";
import type { BenchPlan } from "./plan.ts";

/**
 * Returns the ledger entries for a run: one row, plus a baseline for a completed run. Recording them twice
 * changes nothing. Baselines describe the unchanged agent on a real model. They exclude a candidate's result,
 * which was not real work, and a replay's figures, which are its recording's.
 */
export function entriesOfRun(run: BenchRun): LedgerEntry[] {
  const { usage, startedAt, agent, taskHash, taskId, model, suiteHash, driver } = run;
  const endedAt = Math.round(startedAt + run.durationMs);
  const entry: LedgerEntry = {
    kind: "run",
    id: `bench:${run.id}`,
    // Bench runs belong to no user session: their transcripts are not stored.
    sessionId: `bench:${run.benchId}`,
    agent,
    model,
    startedAt,
    endedAt,
    durationMs: Math.round(run.durationMs),
    input: usage.input,
    output: usage.output,
    cacheCreation: cacheCreation(usage),
    cacheRead: usage.cacheRead,
    toolCalls: run.toolCalls,
    filesReread: run.filesReread,
    turns: run.turns,
    completed: run.outcome === "passed",
    config: run.role,
    taskHash,
    taskId,
    suiteHash,
    driver,
    benchId: run.benchId,
    fixtureHash: run.fixtureHash,
    configurationHash: run.configurationHash,
    recordedBy: run.recordedBy,
    outcome: run.outcome,
    round: run.round,
  };
  if (run.outcome !== "passed" || run.role !== "active" || !measuresModel(driver)) return [entry];
  const { processingTokens } = run;
  const tokens = { run1Tokens: processingTokens, bestTokens: processingTokens };
  const key = { agent, taskHash, taskId, model, suiteHash, driver };
  return [entry, { kind: "baseline", ...key, ...tokens, at: endedAt }];
}

interface RunPlace {
  readonly id: string;
  readonly side: number;
  readonly agent: string;
  readonly taskId: string;
  /** From 1. */
  readonly round: number;
}

export interface LiveRun extends RunPlace {
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

export type PauseReason = "environment" | "token-cap" | "budget";

export type BenchProgress =
  /** Before anything is spent. After a resume, covers the remaining runs. */
  | { readonly kind: "plan"; readonly plan: BenchPlan }
  /** Runs made by an earlier process of this bench: reported once, when it is resumed. */
  | { readonly kind: "resumed"; readonly runs: readonly BenchRun[] }
  /** Packages of the tasks' project are installed, once: the first run waits for them. */
  | { readonly kind: "preparing"; readonly fetched: number; readonly packages: number }
  | { readonly kind: "started"; readonly run: RunPlace; readonly at: number }
  /** At most four a second for each run; the last one is always sent. */
  | { readonly kind: "live"; readonly run: LiveRun }
  /** The run is written. `done` of `of` runs are complete. */
  | { readonly kind: "ended"; readonly run: BenchRun; readonly done: number; readonly of: number }
  | { readonly kind: "paused"; readonly reason: PauseReason; readonly detail: Sentence }
  | { readonly kind: "done" };
