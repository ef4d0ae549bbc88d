import { sentenceSchema } from "../base/sentence-schema.ts";
import * as z from "zod/mini";
import { trialHead, trialPlan, trialView } from "./trial-answers.ts";
import { request } from "../protocol/serve.ts";
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
  params: z.object({ id: z.nullable(id), isWhole: z._default(z.boolean(), false) }),
  answer: z.object({ trial: trialView }),
});

/** Plans a trial. It starts only if its owner approves it. */
const trialStart = request("trialStart", {
  params: z.object({
    agent: z.string().check(z.minLength(1), z.maxLength(200)),
    project: z.nullable(z.string().check(z.minLength(1), z.maxLength(4096))),
    /** Ids, or beginnings of them; null for all that are approved. */
    ruleIds: z.nullable(z.array(id).check(z.maxLength(1000))),
    planned: z.int().check(z.minimum(20), z.maximum(1000)),
    isApproved: z.boolean(),
  }),
  answer: z.object({ plan: trialPlan, trial: z.nullable(trialHead) }),
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
  params: z.object({ ruleId: id, root: z.string().check(z.minLength(1), z.maxLength(4096)) }),
  answer: z.object({ id, why: sentenceSchema, memory: z.nullable(sentenceSchema) }),
});

export const trialRequests = { trialList, trialStatus, trialStart, trialStop, trialLetIn };
