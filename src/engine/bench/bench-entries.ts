import type { LedgerEntry } from "../ledger/entries/entries-entry.ts";
import { cacheCreation } from "../usage/token-counts.ts";
import { measuresModel, type BenchRun } from "./run-facts.ts";

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
