import * as z from "zod";
import { task, taskComment } from "./task.ts";
import { english } from "../../base/text/english.ts";

/**
 * The answers of a command that is a source of tasks, as JSON on its standard output. `media/tasks/README.md` is the contract in words. Unknown members are
 * ignored; times are milliseconds since the epoch, or ISO texts.
 */

const time = z
  .union([
    z.int(),
    z
      .string()
      .refine((text) => !Number.isNaN(Date.parse(text)), english("is no time"))
      .transform((text) => Date.parse(text)),
  ])
  .nullable()
  .default(null);

const givenTask = z.object({ ...task.shape, updatedAt: time });
const givenComment = z.object({ ...taskComment.shape, at: time });

/** Most tasks and comments of one answer. */
const [mostTasks, mostComments] = [5000, 5000];

/** COMMAND list */
export const listAnswer = z.object({ tasks: z.array(givenTask).max(mostTasks) });
/** COMMAND read ID */
export const readAnswer = z.object({ task: givenTask, comments: z.array(givenComment).max(mostComments) });
/** COMMAND comment ID, with `{"author", "text"}` on its standard input */
export const commentAnswer = z.object({ id: taskComment.shape.id });
/** COMMAND state ID STATE */
export const stateAnswer = z.object({});
