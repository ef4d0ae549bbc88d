import * as z from "zod/mini";
import { described } from "../../base/sentence-schema.ts";
import { learnedItem, learningStatus, learnReport } from "../../continuity/learning-answers.ts";
import { sentTexts } from "../../ledger/learned.ts";
import { taskNames } from "../../continuity/learning.ts";

const count = z.int().check(z.nonnegative());

export const learnJson = z.object({
  schema: z.literal(1),
  service: described(z.optional(z.nullable(learningStatus)), "Null while no service runs: status."),
  tasks: described(
    z.optional(
      z.array(
        z.object({
          task: z.enum(taskNames),
          files: described(z.nullable(count), "Files that it has read; null for a task that reads none."),
          projects: described(
            z.nullable(count),
            "Projects of which it has concluded; null where it does not.",
          ),
        }),
      ),
    ),
    "In the order in which they are done: status.",
  ),
  told: described(
    z.optional(
      z.array(
        z.object({
          kind: z.enum(sentTexts),
          helped: described(count, "Taken, for an offer; else the prompt that it came with was completed."),
          ignored: count,
          helpsAtMost: described(z.number(), "Upper bound of the share that helps, 0 to 1."),
          isSilent: described(z.boolean(), "It helps too seldom and is not sent until it is woken."),
        }),
      ),
    ),
    "What continuity tells agents of itself: status; and the one of wake.",
  ),
  learned: described(z.optional(z.array(learnedItem)), "The best first: show; and the one of forget."),
  files: described(
    z.optional(
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
    ),
    "The working set, the most needed first: show.",
  ),
  report: described(z.optional(learnReport), "What was done: run."),
});
export type LearnJson = z.infer<typeof learnJson>;
