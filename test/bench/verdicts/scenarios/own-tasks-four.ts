import { ownTasks } from "../own-tasks.ts";
import type { Scenario } from "../scenario.ts";

export const scenario: Scenario = {
  title: "Eight rules proved with four of the user's own tasks, where effects differ between tasks by 0.1.",
  lines: [
    { key: "useless", name: "does nothing in all: let in", goal: { atMost: 0.07 } },
    { key: "ten", name: "saves 10 % in all: let in" },
    { key: "harmful", name: "costs 10 % in all: let in" },
    { key: "holds", name: "intervals of 90 % that hold for all work" },
    { key: "tokens", name: "tokens of all", unit: "millions" },
  ],
  now: (seed) => ownTasks(4, seed),
  before: { useless: "12.9 %", ten: "73 %", harmful: "0.3 %", holds: "81.6 %" },
};
