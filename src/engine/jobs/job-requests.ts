import * as z from "zod/mini";
import {
  anyAsk,
  benchChoices as choices,
  benchId,
  benchPlan as plan,
  fileChangeView,
  jobAsk,
  jobSummary,
  jobView,
  runPage,
  wakeJob,
} from "./bench-answers.ts";
import { wakePlanView } from "../recurring/recurring-answers.ts";
import { wakeAsk } from "./answers/wake.ts";
import { notice, request } from "../protocol/serve.ts";

/** A bench is a job: it waits in the service's queue, runs in a separate process, and is stored in its folder, with or without a client watching. */

const nothing: z.ZodMiniType<object> = z.object({});
/** Such as keys, which a service does not have. Never stored. */
const env = z.record(z.string().check(z.maxLength(200)), z.string().check(z.maxLength(8192)));

const benchChoices = request("benchChoices", {
  /** `workspace`: a trusted folder to search for a suite. */
  params: z.object({ workspace: z.nullable(z.string().check(z.maxLength(4096))), env }),
  answer: choices,
});

/** Starts nothing. */
const benchPlan = request("benchPlan", {
  params: z.object({ ask: jobAsk, env }),
  answer: z.object({ plan }),
});

/** Starts nothing, and takes no lease. */
const wakePlan = request("wakePlan", {
  params: z.object({ ask: wakeAsk, env }),
  answer: z.object({ plan: wakePlanView }),
});

/** Queues a job, and answers at once. */
const benchStart = request("benchStart", {
  /** `project`: a trusted folder with budgets that apply. */
  params: z.object({ ask: anyAsk, env, project: z.nullable(z.string().check(z.maxLength(4096))) }),
  answer: z.object({ id: benchId }),
});

/** Answered when all of it has stopped. */
const benchCancel = request("benchCancel", { params: z.object({ id: benchId }), answer: nothing });

/** It resumes with the remaining runs. */
const benchResume = request("benchResume", {
  params: z.object({ id: benchId, env }),
  answer: nothing,
});

/** Newest first. */
const benchList = request("benchList", {
  params: nothing,
  answer: z.object({ jobs: z.array(jobSummary), wakes: z.optional(z.array(wakeJob)) }),
});

/** Null for an unknown id. */
const benchRead = request("benchRead", {
  params: z.object({ id: benchId }),
  answer: z.object({ view: z.nullable(jobView) }),
});

/** Turn by turn. Null for an unknown run. */
const benchRun = request("benchRun", {
  params: z.object({ id: benchId, runId: z.string().check(z.minLength(1), z.maxLength(400)) }),
  answer: z.object({ page: z.nullable(runPage) }),
});

const benchChange = request("benchChange", {
  params: z.object({
    id: benchId,
    runId: z.string().check(z.minLength(1), z.maxLength(400)),
    path: z.string().check(z.minLength(1), z.maxLength(4096)),
  }),
  answer: z.object({ change: z.nullable(fileChangeView) }),
});

/** Sent at most twice a second. */
const benchChanged = notice(
  "benchChanged",
  /** Jobs in progress, and those that ended since the last notice. */
  z.object({ jobs: z.array(jobSummary), wakes: z.optional(z.array(wakeJob)) }),
);

export const benchRequests = {
  benchChoices,
  benchPlan,
  wakePlan,
  benchStart,
  benchCancel,
  benchResume,
  benchList,
  benchRead,
  benchRun,
  benchChange,
};
export const benchNotices = { benchChanged };
