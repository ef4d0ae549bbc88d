import { linesOfMix, provedRules, withGoals, worthOfRules } from "../known-rules.ts";
import type { Scenario } from "../scenario.ts";

const rules = [0.05, 0.1, -0.05, -0.1, -0.2, 0, 0, 0];

export const scenario: Scenario = {
  title: "Two rules that save, three that cost, three that do nothing, measured while it pays.",
  lines: withGoals(linesOfMix, { net: { atLeast: 0 } }),
  now: (seed) => worthOfRules(rules, "issue", seed),
  before: (seed) => provedRules(rules, "issue", seed),
};
