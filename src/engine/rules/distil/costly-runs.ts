import type { RealRun } from "../../ledger/rule-questions.ts";

export interface CostlyRun {
  readonly run: RealRun;
  /** 75th percentile of the earlier runs, by nearest rank. Processing tokens. */
  readonly usual: number;
  /** Number of those runs. */
  readonly before: number;
}

/** Maximum earlier runs in the comparison, and minimum for a comparison. */
const [maxRunsBefore, minRunsBefore] = [50, 5];

/** @param runs completed runs of real work, of any agents, oldest first */
export function costlyRuns(runs: readonly RealRun[]): CostlyRun[] {
  const byAgent = new Map<string, RealRun[]>();
  const found: CostlyRun[] = [];
  for (const run of runs) {
    const key = JSON.stringify([run.program, run.agent]);
    const before = byAgent.get(key) ?? [];
    const tokens = before.slice(-maxRunsBefore).map(({ processingTokens }) => processingTokens);
    const usual = usualAmong(tokens);
    if (usual !== null && run.processingTokens > usual) found.push({ run, usual, before: tokens.length });
    byAgent.set(key, [...before.slice(-maxRunsBefore), run]);
  }
  return found;
}

/**
 * Returns the 75th percentile by nearest rank; null for too few runs.
 * @param tokens per run of one agent
 */
export function usualAmong(tokens: readonly number[]): number | null {
  const sorted = tokens.toSorted((one, other) => one - other);
  return sorted.length < minRunsBefore ? null : (sorted[Math.ceil(0.75 * sorted.length) - 1] ?? null);
}
