import { turnedLife } from "../days.ts";
import type { Scenario } from "../scenario.ts";

export const scenario: Scenario = {
  title: "A rule that is let in at +10 % among eight, then turns to −10 %: six audits of all.",
  lines: [
    { key: "out", name: "out within six audits", goal: { atLeast: 0.6 } },
    { key: "goodOut", name: "a true saver beside it is out", goal: { atMost: 0.05 } },
    { key: "tokens", name: "tokens of the audits", unit: "millions" },
    { key: "seconds", name: "processor time of the audits in s", unit: "number", goal: { atMost: 2 } },
  ],
  now: (seed) => turnedLife({ name: "issue", now: -0.1 }, seed),
  before: { out: "2.0 %" },
  lives: 300,
};
