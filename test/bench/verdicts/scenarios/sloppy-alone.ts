import { aloneOnDays } from "../days.ts";
import type { Scenario } from "../scenario.ts";

export const scenario: Scenario = {
  title: "A rule that saves 10 % and fails 10 points more tasks, measured alone, in the issue's world.",
  lines: [
    { key: "found", name: "let in", goal: { atMost: 0.1 } },
    { key: "tokens", name: "tokens", unit: "millions" },
  ],
  now: (seed) => aloneOnDays({ name: "issue", saves: 0.1, days: 1, breaks: 0.1 / 0.93 }, seed),
  before: { found: "44.0 %" },
};
