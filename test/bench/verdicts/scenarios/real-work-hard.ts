import { withGoals } from "../known-rules.ts";
import { drawnRules, hard, linesOfDraws, mixOfIssue, trialPolicy } from "../real-work.ts";
import type { Scenario } from "../scenario.ts";

const shape = hard(mixOfIssue);

export const scenario: Scenario = {
  title:
    "The same with fewer prompts, heavier tails, a new model midway, and rules that matter in two of three sessions.",
  lines: withGoals(linesOfDraws, { saved: { atLeast: 0.24 }, harmful: { atMost: 0.05 } }),
  now: (seed) => drawnRules(shape, seed),
  before: (seed) => drawnRules(shape, seed, trialPolicy),
};
