import * as z from "zod";

/** User settings for what is learned from past sessions. */
export const learningShape = {
  /** Whether the service learns by itself while no agent works. */
  learn: z
    .boolean()
    .describe(
      "Learn from your past sessions while no agent works. This calls no model and tells no agent anything.",
    ),
  /** Whether what was learned of one project may be told in another. */
  learnAcrossProjects: z.boolean().describe("Let agents in one project use what was learned in another."),
};

export const defaultLearningSettings = { learn: true, learnAcrossProjects: false };
