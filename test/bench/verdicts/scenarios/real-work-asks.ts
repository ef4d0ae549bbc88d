import { claimedRules, mild } from "../real-work.ts";
import type { Scenario } from "../scenario.ts";

const shape = mild([{ saves: 0, morePrompts: 3 }], 200);

export const scenario: Scenario = {
  title: "A rule that saves nothing and makes the person ask three short questions more, in 200 sessions.",
  lines: [{ key: "useless", name: "ever said to save", goal: { atMost: 0.05 } }],
  now: (seed) => claimedRules(shape, seed),
  before: { useless: "53.5 %" },
};
