import { bleakMix, drawnRules, linesOfDraws, mild, trialPolicy } from "../real-work.ts";
import type { Scenario } from "../scenario.ts";

const shape = mild(bleakMix);

export const scenario: Scenario = {
  title: "Two rules that save, three that cost, three that do nothing, in 1,000 sessions of real work.",
  lines: linesOfDraws,
  now: (seed) => drawnRules(shape, seed),
  before: (seed) => drawnRules(shape, seed, trialPolicy),
};
