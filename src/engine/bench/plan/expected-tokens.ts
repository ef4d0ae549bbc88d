import { mean } from "../../base/numbers.ts";
import { sentence } from "../../base/text/sentence.ts";
import type { GoldenRun } from "../../ledger/questions/golden-book.ts";
import type { ExpectedTokens } from "./plan.ts";

/** Minimum runs for an estimate. */
const minRuns = 3;
/** Maximum runs, the newest: older ones do not show how the agent works now. */
const newestRuns = 200;
/** Used when no task was run twice: runs of one task commonly differ by a third. */
const usualSpread = 0.35;

/**
 * Returns what an agent's runs of a suite are expected to take, from past runs; null if there were too few.
 * @param runs the newest first
 */
export function expectedFromRuns(
  runs: readonly GoldenRun[],
  asked: Pick<GoldenRun, "agent" | "model" | "suiteHash" | "driver">,
): ExpectedTokens | null {
  const own = runs
    .filter(
      ({ agent, model, suiteHash, driver }) =>
        agent === asked.agent &&
        model === asked.model &&
        suiteHash === asked.suiteHash &&
        driver === asked.driver,
    )
    .slice(0, newestRuns);
  if (own.length < minRuns) return null;
  const perRun = mean(own.map(({ processingTokens }) => processingTokens));
  return {
    perRun,
    cacheReadPerRun: mean(own.map(({ cacheRead }) => cacheRead)),
    spread: perRun === 0 ? usualSpread : (deviationWithin(own) ?? usualSpread * perRun) / perRun,
    source: "measured",
    because: sentence("your last {0} runs of {1}", own.length, asked.agent),
  };
}

/** Whether the spread comes from actual runs, not from the default used if no task ran twice. */
export function hasOwnSpread({ source, spread }: Pick<ExpectedTokens, "source" | "spread">): boolean {
  return source === "measured" && Math.abs(spread - usualSpread) > 1e-9;
}

/** Returns the pooled standard deviation of runs of the same task and configuration; null if none was run twice. */
function deviationWithin(runs: readonly GoldenRun[]): number | null {
  const groups = new Map<string, number[]>();
  for (const { taskId, configurationHash, processingTokens } of runs) {
    const key = `${taskId}\n${configurationHash}`;
    groups.set(key, [...(groups.get(key) ?? []), processingTokens]);
  }
  let [squares, freedom] = [0, 0];
  for (const group of groups.values()) {
    const center = mean(group);
    squares += group.reduce((sum, tokens) => sum + (tokens - center) ** 2, 0);
    freedom += group.length - 1;
  }
  return freedom === 0 ? null : Math.sqrt(squares / freedom);
}
