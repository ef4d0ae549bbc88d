import { linesOfMix, provedRules, withGoals, worthOfRules } from "../known-rules.ts";
import type { Scenario } from "../scenario.ts";

const rules = [0, 0, 0, 0, 0, 0, 0, 0];

export const scenario: Scenario = {
  title: "Eight rules that do nothing, measured while it pays.",
  lines: withGoals(linesOfMix, { tokens: { atMost: 6_000_000 } }),
  now: (seed) => worthOfRules(rules, "issue", seed),
  before: (seed) => provedRules(rules, "issue", seed),
};
