import { eight, linesOfMix, provedRules, withGoals } from "../known-rules.ts";
import type { Scenario } from "../scenario.ts";

export const scenario: Scenario = {
  title: "Eight rules proved together for 3 M tokens each, in the issue's world.",
  lines: withGoals(linesOfMix, {
    twenty: { atLeast: 0.95 },
    ten: { atLeast: 0.8 },
    five: { atLeast: 0.3 },
    useless: { atMost: 0.05 },
    holds: { atLeast: 0.9 },
  }),
  now: (seed) => provedRules(eight, "issue", seed),
  before: {
    twenty: "98.7 %",
    ten: "85.3 %",
    five: "33.7 %",
    useless: "5.0 %",
    harmful: "0.0 %",
    anyBad: "17.0 %",
    saved: "29.9 %",
    tokens: "20.24 M",
    holds: "96.1 %",
    unpaid: "38.7 %",
  },
};
