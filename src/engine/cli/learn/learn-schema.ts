import * as z from "zod";
import { learnedItem, learningStatus, learnReport } from "../../continuity/answers/learn.ts";
import { toldTexts } from "../../ledger/questions/learned/told-texts.ts";
import { taskNames } from "../../continuity/learn/task.ts";

const count = z.int().nonnegative();

/** Output of `purser learn … --json`. Members may be added; any other change changes `schema`. */
export const learnJson = z.object({
  schema: z.literal(1),
  service: learningStatus.nullable().optional().describe("Null while no service runs: status."),
  tasks: z
    .array(
      z.object({
        task: z.enum(taskNames),
        files: count.nullable().describe("Files that it has read; null for a task that reads none."),
        projects: count.nullable().describe("Projects of which it has concluded; null where it does not."),
      }),
    )
    .optional()
    .describe("In the order in which they are done: status."),
  told: z
    .array(
      z.object({
        kind: z.enum(toldTexts),
        helped: count.describe("Taken, for an offer; else the prompt that it came with was completed."),
        ignored: count,
        helpsAtMost: z.number().describe("Upper bound of the share that helps, 0 to 1."),
        isSilent: z.boolean().describe("It helps too seldom and is told no more, until it is woken."),
      }),
    )
    .optional()
    .describe("What continuity tells agents of itself: status; and the one of wake."),
  learned: z.array(learnedItem).optional().describe("The best first: show; and the one of forget."),
  files: z
    .array(
      z.object({
        project: z.string(),
        path: z.string(),
        score: count,
        reads: count,
        edits: count,
        sessions: count,
      }),
    )
    .optional()
    .describe("The working set, the most needed first: show."),
  report: learnReport.optional().describe("What was done: run."),
});
export type LearnJson = z.infer<typeof learnJson>;
