import * as z from "zod";
import { trialHead, trialPlan, trialView } from "./answers/trial-view.ts";
import { request } from "../protocol/protocol-request.ts";
import { id } from "./book/evidence-shape.ts";

/** Requests about rules on trial in real work. */

/** Newest first. */
const trialList = request("trialList", {
  params: z.object({}),
  answer: z.object({ trials: z.array(trialHead) }),
});

/**
 * Sessions and figures of a trial. `id` is null for the newest; `isWhole` requests all sessions, not only the
 * newest.
 */
const trialStatus = request("trialStatus", {
  params: z.object({ id: id.nullable(), isWhole: z.boolean().default(false) }),
  answer: z.object({ trial: trialView }),
});

/** Plans a trial. It starts only if its owner approves it. */
const trialStart = request("trialStart", {
  params: z.object({
    agent: z.string().min(1).max(200),
    project: z.string().min(1).max(4096).nullable(),
    /** Ids, or beginnings of them; null for all that are approved. */
    ruleIds: z.array(id).max(1000).nullable(),
    planned: z.int().min(20).max(1000),
    isApproved: z.boolean(),
  }),
  answer: z.object({ plan: trialPlan, trial: trialHead.nullable() }),
});

const trialStop = request("trialStop", {
  params: z.object({ id }),
  answer: z.object({ trial: trialHead }),
});

/**
 * Admits a rule to its agent's memory by its newest trial, alone or together with its benchmark. `why`
 * describes the result. `memory` gives the reason why its agent's memory was not written, or null.
 */
const trialLetIn = request("trialLetIn", {
  params: z.object({ ruleId: id, root: z.string().min(1).max(4096) }),
  answer: z.object({ id, why: z.string(), memory: z.string().nullable() }),
});

export const trialRequests = { trialList, trialStatus, trialStart, trialStop, trialLetIn };
