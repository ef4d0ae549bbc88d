import { eight, linesOfMix, provedRules, withGoals } from "../known-rules.ts";
import type { Scenario } from "../scenario.ts";

export const scenario: Scenario = {
  title: "Eight rules proved together for 3 M tokens each, in the harsh world.",
  lines: withGoals(linesOfMix, { useless: { atMost: 0.05 }, holds: { atLeast: 0.9 } }),
  now: (seed) => provedRules(eight, "harsh", seed),
  before: {
    twenty: "98.0 %",
    ten: "59.0 %",
    five: "20.0 %",
    useless: "4.5 %",
    harmful: "0.3 %",
    anyBad: "18.0 %",
    tokens: "23.84 M",
    holds: "95.3 %",
    unpaid: "94.9 %",
  },
};
