import { aloneOnDays } from "../days.ts";
import type { Scenario } from "../scenario.ts";

export const scenario: Scenario = {
  title: "A rule that does nothing, measured alone on five days, in the issue's world.",
  lines: [
    { key: "found", name: "let in by the fifth day", goal: { atMost: 0.05 } },
    { key: "holds", name: "intervals of 90 % that hold", goal: { atLeast: 0.9 } },
    { key: "tokens", name: "tokens of all days", unit: "millions" },
  ],
  now: (seed) => aloneOnDays({ name: "issue", saves: 0, days: 5 }, seed),
  before: { found: "5.0 %" },
  lives: 300,
};
