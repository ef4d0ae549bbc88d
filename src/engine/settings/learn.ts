import * as z from "zod";

/** User settings for what is learned from past sessions. */
export const learningShape = {
  /** Whether the service learns by itself while no agent works. */
  learn: z
    .boolean()
    .describe(
      "Whether purser learns from your past sessions while no agent works: no model is called, and no agent is told anything by it.",
    ),
  /** Whether what was learned of one project may be told in another. */
  learnAcrossProjects: z
    .boolean()
    .describe("Whether agents may be told in one project what was learned in another."),
};

export const defaultLearningSettings = { learn: true, learnAcrossProjects: false };
