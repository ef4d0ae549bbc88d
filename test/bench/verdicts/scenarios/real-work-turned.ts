import { adaptivePolicy, mild, workLife } from "../real-work.ts";
import type { Scenario } from "../scenario.ts";

const turnsAt = 400;
const shape = { ...mild([{ saves: 0.1, then: -0.1 }], turnsAt + 200), turnsAt };

export const scenario: Scenario = {
  title: "A rule that saved 10 % in 400 sessions and then costs 10 %, 200 sessions later.",
  lines: [
    { key: "on", name: "in most sessions before it turned" },
    { key: "out", name: "out, or in few sessions", goal: { atLeast: 0.6 } },
    { key: "evicted", name: "out by its owner's consent" },
  ],
  now: async (seed) => {
    const { steps } = await workLife(shape, seed, adaptivePolicy(["r0"]));
    const [then = 0] = steps[turnsAt]?.chances ?? [];
    const [last = 0] = steps.at(-1)?.chances ?? [];
    if (then <= 0.5) return { on: false, out: null, evicted: null };
    return { on: true, out: last < 0.5, evicted: last === 0 };
  },
  before: { out: "2.0 %, by six audits" },
};
