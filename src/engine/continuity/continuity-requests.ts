import * as z from "zod/mini";
import { request } from "../protocol/serve.ts";
import { learnedItem, learnedStates, learningStatus, learnReport } from "./learning-answers.ts";
import { taskNames } from "./learn/task.ts";

export { handoverNotices, handoverRequests } from "./handover-requests.ts";

const id = z.string().check(z.minLength(1), z.maxLength(1000));

/** Schedules items that a compaction lost for the session's next prompt, once. */
const putBack = request("putBack", {
  params: z.object({ session: id, diff: id, items: z.array(id).check(z.minLength(1), z.maxLength(200)) }),
  /** Things that were not put back already. */
  answer: z.object({ count: z.int() }),
});

export const compactionRequests = { putBack };

const nothing = z.object({});

const learnStatus = request("learnStatus", {
  params: nothing,
  answer: z.object({ status: learningStatus }),
});

/** Does all tasks now, or one. Answered when they are done; cancelling it loses nothing. */
const learnRun = request("learnRun", {
  params: z.object({ task: z.nullable(z.enum(taskNames)) }),
  answer: learnReport,
});

const learnMark = request("learnMark", {
  params: z.object({
    id: z.string().check(z.minLength(1), z.maxLength(200)),
    state: z.enum(learnedStates),
    text: z.nullable(z.string().check(z.minLength(1), z.maxLength(400))),
  }),
  answer: nothing,
});

/** Lessons of a project, or of all with null. The best first. */
const learnItems = request("learnItems", {
  params: z.object({ project: z.nullable(z.string().check(z.maxLength(4096))) }),
  answer: z.object({ items: z.array(learnedItem) }),
});

export const learningRequests = { learnStatus, learnRun, learnMark, learnItems };
