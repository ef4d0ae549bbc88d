import { aloneOnDays } from "../days.ts";
import type { Scenario } from "../scenario.ts";

export const scenario: Scenario = {
  title: "A rule that saves 20 %, measured alone, in the issue's world.",
  lines: [
    { key: "found", name: "let in", goal: { atLeast: 0.85 } },
    { key: "tokens", name: "tokens", unit: "millions", goal: { atMost: 3_700_000 } },
    { key: "holds", name: "intervals of 90 % that hold", goal: { atLeast: 0.9 } },
  ],
  now: (seed) => aloneOnDays({ name: "issue", saves: 0.2, days: 1 }, seed),
  before: { found: "80.3 %", tokens: "4.35 M" },
};
