import * as z from "zod";
import {
  benchChoices as choices,
  benchId,
  benchPlan as plan,
  fileChangeView,
  jobAsk,
  jobSummary,
  jobView,
  runPage,
} from "../jobs/answers/bench.ts";
import { notice, request } from "../rpc/request.ts";

/**
 * What clients and the service say to each other of benches. A bench is a job: it waits in the service's queue, runs in a process of
 * its own, and is kept in its folder whoever looks.
 */

const nothing: z.ZodType<object> = z.object({});
/** What an agent is run with needs of the client's environment: keys, which a service does not have. Kept nowhere. */
const env = z.record(z.string().max(200), z.string().max(8192));

/** The suites, agents, tasks and drivers there are. */
const benchChoices = request("benchChoices", {
  /** @param workspace a trusted folder to look for a suite in, or null */
  params: z.object({ workspace: z.string().max(4096).nullable(), env }),
  answer: choices,
});

/** What a job would do and spend. Nothing begins. */
const benchPlan = request("benchPlan", {
  params: z.object({ ask: jobAsk, env }),
  answer: z.object({ plan }),
});

/** Puts a job into the queue, and answers at once. */
const benchStart = request("benchStart", {
  /** @param project a trusted folder whose budgets hold for it, or null */
  params: z.object({ ask: jobAsk, env, project: z.string().max(4096).nullable() }),
  answer: z.object({ id: benchId }),
});

/** Ends its runs and takes it out of the queue. Answered when nothing of it goes on any more. */
const benchCancel = request("benchCancel", { params: z.object({ id: benchId }), answer: nothing });

/** Puts one that stopped into the queue again: it goes on with the runs that are left. */
const benchResume = request("benchResume", {
  params: z.object({ id: benchId, env }),
  answer: nothing,
});

/** All that are kept, the newest first. */
const benchList = request("benchList", {
  params: nothing,
  answer: z.object({ jobs: z.array(jobSummary) }),
});

/** Null when there is none of that id. */
const benchRead = request("benchRead", {
  params: z.object({ id: benchId }),
  answer: z.object({ view: jobView.nullable() }),
});

/** One run, turn by turn. Null when there is none. */
const benchRun = request("benchRun", {
  params: z.object({ id: benchId, runId: z.string().min(1).max(400) }),
  answer: z.object({ page: runPage.nullable() }),
});

/** A file that a run changed, whole. */
const benchChange = request("benchChange", {
  params: z.object({
    id: benchId,
    runId: z.string().min(1).max(400),
    path: z.string().min(1).max(4096),
  }),
  answer: z.object({ change: fileChangeView.nullable() }),
});

/** At most two a second. */
const benchChanged = notice(
  "benchChanged",
  /** Those that are under way, and those that ended since the last. */
  z.object({ jobs: z.array(jobSummary) }),
);

export const benchRequests = {
  benchChoices,
  benchPlan,
  benchStart,
  benchCancel,
  benchResume,
  benchList,
  benchRead,
  benchRun,
  benchChange,
};
export const benchNotices = { benchChanged };
