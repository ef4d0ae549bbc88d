import type { RealRun } from "../../ledger/questions/rule-book.ts";

/** A run that took more than three quarters of the runs before it of the same agent of the same program. */
export interface CostlyRun {
  readonly run: RealRun;
  /** The 75th percentile by nearest rank of the runs before it. Processing tokens. */
  readonly usual: number;
  /** How many those were. */
  readonly before: number;
}

/** A run is held against so many before it; fewer say nothing. */
const [mostBefore, fewestBefore] = [50, 5];

/** @param runs completed runs of real work, of any agents, the oldest first */
export function costlyRuns(runs: readonly RealRun[]): CostlyRun[] {
  const byAgent = new Map<string, RealRun[]>();
  const found: CostlyRun[] = [];
  for (const run of runs) {
    const key = JSON.stringify([run.program, run.agent]);
    const before = byAgent.get(key) ?? [];
    const tokens = before.slice(-mostBefore).map(({ processingTokens }) => processingTokens);
    const usual = usualAmong(tokens);
    if (usual !== null && run.processingTokens > usual) found.push({ run, usual, before: tokens.length });
    byAgent.set(key, [...before.slice(-mostBefore), run]);
  }
  return found;
}

/** The 75th percentile by nearest rank; null of too few. @param tokens of an agent's runs */
export function usualAmong(tokens: readonly number[]): number | null {
  const sorted = tokens.toSorted((one, other) => one - other);
  return sorted.length < fewestBefore ? null : (sorted[Math.ceil(0.75 * sorted.length) - 1] ?? null);
}
