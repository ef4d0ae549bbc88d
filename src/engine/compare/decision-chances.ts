import type { ExpectedTokens } from "../bench/plan/plan.ts";
import { planPower, type PowerPlan } from "../verdict/power/power.ts";

/**
 * Plans the chances to decide a comparison.
 * @param weights of the agent's tasks
 * @param rounds at most; null for the usual
 */
export function comparisonPower(
  about: { readonly weights: readonly number[]; readonly rounds: number | null },
  expected: ExpectedTokens,
): PowerPlan {
  const asked = { ...about, kind: "comparison", expected } as const;
  return planPower({ ...asked, rules: 1, canShare: false, bar: 0, sessions: null });
}
