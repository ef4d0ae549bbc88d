import * as z from "zod/mini";
import { learnedItem, learningStatus, learnReport } from "../../continuity/learning-answers.ts";
import { sentTexts } from "../../ledger/learned.ts";
import { taskNames } from "../../continuity/learning.ts";

const count = z.int().check(z.nonnegative());

export const learnJson = z.object({
  schema: z.literal(1),
  service: z.optional(z.nullable(learningStatus)).check(z.describe("Null while no service runs: status.")),
  tasks: z
    .optional(
      z.array(
        z.object({
          task: z.enum(taskNames),
          files: z
            .nullable(count)
            .check(z.describe("Files that it has read; null for a task that reads none.")),
          projects: z
            .nullable(count)
            .check(z.describe("Projects of which it has concluded; null where it does not.")),
        }),
      ),
    )
    .check(z.describe("In the order in which they are done: status.")),
  told: z
    .optional(
      z.array(
        z.object({
          kind: z.enum(sentTexts),
          helped: count.check(
            z.describe("Taken, for an offer; else the prompt that it came with was completed."),
          ),
          ignored: count,
          helpsAtMost: z.number().check(z.describe("Upper bound of the share that helps, 0 to 1.")),
          isSilent: z.boolean().check(z.describe("It helps too seldom and is not sent until it is woken.")),
        }),
      ),
    )
    .check(z.describe("What continuity tells agents of itself: status; and the one of wake.")),
  learned: z.optional(z.array(learnedItem)).check(z.describe("The best first: show; and the one of forget.")),
  files: z
    .optional(
      z.array(
        z.object({
          project: z.string(),
          path: z.string(),
          score: count,
          reads: count,
          edits: count,
          sessions: count,
        }),
      ),
    )
    .check(z.describe("The working set, the most needed first: show.")),
  report: z.optional(learnReport).check(z.describe("What was done: run.")),
});
export type LearnJson = z.infer<typeof learnJson>;
