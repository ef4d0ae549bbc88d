import { linesOfMix, provedRules, withGoals, worthOfRules } from "../known-rules.ts";
import type { Scenario } from "../scenario.ts";

const rules = [0, 0, 0, 0, 0.05, 0.1, 0.2, -0.1];

export const scenario: Scenario = {
  title: "Eight rules of the issue's mix, measured while it pays.",
  lines: withGoals(linesOfMix, {
    saved: { atLeast: 0.27 },
    tokens: { atMost: 4_000_000 },
  }),
  now: (seed) => worthOfRules(rules, "issue", seed),
  before: (seed) => provedRules(rules, "issue", seed),
};
