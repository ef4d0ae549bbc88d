import { mean } from "../base/numbers.ts";
import { isEvidence, type BenchRun } from "../bench/run-facts.ts";
import type { EvolveFacts, MeasuredWaste } from "./evolve.ts";

/**
 * Returns the measured cost and waste of an agent's golden task runs, which a rewrite of its prompt should
 * avoid.
 */
export function measuredWaste(
  runs: readonly BenchRun[],
): Pick<EvolveFacts, "tokensPerRun"> & { readonly waste: MeasuredWaste[] } {
  const seen = runs.filter(isEvidence);
  const passed = seen.filter(({ outcome }) => outcome === "passed");
  const sum = (value: (run: BenchRun) => number) => seen.reduce((all, run) => all + value(run), 0);
  const of = `in ${seen.length} runs`;
  const found: MeasuredWaste[] = [
    {
      what: `Files that were read again after they had been read, ${of}`,
      times: sum((run) => run.filesReread),
    },
    { what: `Runs that ended without the work being done, ${of}`, times: count(seen, "failed") },
    { what: `Runs that were ended at a limit of time, turns or tokens, ${of}`, times: count(seen, "limit") },
  ];
  return {
    tokensPerRun: passed.length === 0 ? null : mean(passed.map((run) => run.processingTokens)),
    waste: found.filter(({ times }) => times > 0),
  };
}

function count(runs: readonly BenchRun[], outcome: BenchRun["outcome"]): number {
  return runs.filter((run) => run.outcome === outcome).length;
}
