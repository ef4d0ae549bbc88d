import type { LearnedItem } from "../../../src/engine/continuity/learning-answers.ts";

export function makeLearned(over: Partial<LearnedItem> = {}): LearnedItem {
  return {
    id: "l1",
    kind: "repair",
    project: "/home/mara/harbor",
    text: "“Cannot find module 'zod'” (tsc) was gone after: npm install zod",
    remedy: "npm install zod",
    sessions: 3,
    times: 4,
    evidence: [{ session: "5e550001-0000", turns: [2, 5] }],
    at: Date.parse("2026-10-10T10:00:00Z"),
    score: 60,
    state: "shown",
    uses: 0,
    helped: 0,
    failed: 0,
    ...over,
  };
}
