import type { ExpectedTokens } from "../bench/plan/plan.ts";
import { planArms } from "../verdict/power/plan-arms.ts";
import { planPower, type PowerPlan } from "../verdict/power/power.ts";

/**
 * Plans the chances to decide a comparison.
 * @param about.weights of the agent's tasks
 * @param about.rounds maximum rounds; null for the default
 * @param about.changes changes that are compared with the same runs
 */
export function comparisonPower(
  {
    changes,
    ...about
  }: {
    readonly weights: readonly number[];
    readonly rounds: number | null;
    readonly changes: number;
  },
  expected: ExpectedTokens,
): PowerPlan {
  const asked = { ...about, kind: "comparison", expected } as const;
  const request = { ...asked, rules: 1, canShare: false, bar: 0, sessions: null };
  return changes === 1 ? planPower(request) : planArms(request, changes);
}
