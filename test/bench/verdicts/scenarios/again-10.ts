import { aloneOnDays } from "../days.ts";
import type { Scenario } from "../scenario.ts";

export const scenario: Scenario = {
  title: "A rule that saves 10 %, measured alone on five days, in the harsh world.",
  lines: [
    { key: "firstDay", name: "let in on the first day" },
    { key: "found", name: "let in by the fifth day", goal: { atLeast: 0.6 } },
    { key: "tokens", name: "tokens of all days", unit: "millions" },
  ],
  now: (seed) => aloneOnDays({ name: "harsh", saves: 0.1, days: 5 }, seed),
  before: { firstDay: "24.0 %", found: "35.0 %", tokens: "25.60 M" },
  lives: 300,
};
