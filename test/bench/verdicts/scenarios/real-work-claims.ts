import { claimedRules, hard, mixOfIssue } from "../real-work.ts";
import type { Scenario } from "../scenario.ts";

const shape = hard(mixOfIssue, 500);

export const scenario: Scenario = {
  title: "What is said of eight rules on real work, looked at after every 25 of 500 sessions.",
  lines: [
    { key: "useless", name: "does nothing: ever said to save", goal: { atMost: 0.05 } },
    { key: "harmful", name: "costs 10 %: ever said to save", goal: { atMost: 0.05 } },
    { key: "saver", name: "saves 20 %: said to save" },
    { key: "holds", name: "intervals of 90 % that hold", goal: { atLeast: 0.9 } },
  ],
  now: (seed) => claimedRules(shape, seed),
};
