import { ascending, mean, median, nearestRank } from "../../base/numbers.ts";
import type { RealRun, RuleBook } from "../../ledger/questions/rule-book.ts";
import type { LearnedView } from "../answers.ts";

/**
 * Groups an agent's completed runs by the version of its memory, oldest first; runs before the first version lead.
 *
 * @param runs of one agent, oldest first
 * @param memories of the same agent
 */
export function learningCurve(
  runs: readonly Pick<RealRun, "rulesetVersion" | "processingTokens" | "endedAt">[],
  memories: RuleBook["memories"],
): LearnedView[] {
  const versions = new Set(runs.map(({ rulesetVersion }) => rulesetVersion));
  const points = [...versions].map((version) => {
    const own = runs.filter(({ rulesetVersion }) => rulesetVersion === version);
    const tokens = ascending(own.map(({ processingTokens }) => processingTokens));
    const memory = memories.find((each) => each.version === version);
    const first = own[0]?.endedAt ?? 0;
    return {
      // A version without a recorded memory counts from the end of its first run.
      began: version === null ? -Infinity : (memory?.at ?? first),
      point: {
        version,
        at: memory?.at ?? null,
        rules: memory?.ruleIds.length ?? null,
        runs: own.length,
        mean: mean(tokens),
        median: median(tokens),
        p25: nearestRank(tokens, 0.25),
        p75: nearestRank(tokens, 0.75),
      },
    };
  });
  return points.toSorted((one, other) => one.began - other.began).map(({ point }) => point);
}
