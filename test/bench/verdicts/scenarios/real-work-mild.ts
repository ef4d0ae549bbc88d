import { withGoals } from "../known-rules.ts";
import { drawnRules, linesOfDraws, mild, mixOfIssue, trialPolicy } from "../real-work.ts";
import type { Scenario } from "../scenario.ts";

const shape = mild(mixOfIssue);

export const scenario: Scenario = {
  title: "Eight rules in 1,000 sessions of real work, drawn by the chance that they save.",
  lines: withGoals(linesOfDraws, { saved: { atLeast: 0.27 }, harmful: { atMost: 0.05 } }),
  now: (seed) => drawnRules(shape, seed),
  before: (seed) => drawnRules(shape, seed, trialPolicy),
};
