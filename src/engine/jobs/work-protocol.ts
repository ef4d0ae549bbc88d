import { sentenceSchema } from "../base/schema/sentence-schema.ts";
import * as z from "zod/mini";
import { benchRunSchema } from "../bench/run-facts.ts";
import { anyAsk, benchChoices, benchId, benchPlan, jobAsk, jobOutline, liveRun } from "./answers/bench.ts";
import type { WorkEnd, JobEvent } from "./executor.ts";
import { compareView } from "./answers/compare.ts";
import { request, type NoticeKind } from "../protocol/protocol-request.ts";
import { wakePlanView } from "../recurring/answers.ts";
import { selectView } from "./answers/select.ts";
import { wakeAsk, wakeProgress } from "./answers/wake.ts";

/** Protocol between the service and the process that runs benches, over a pipe between the two. */

const env = z.record(z.string(), z.string());
const memories = z.record(z.string(), z.object({ label: sentenceSchema, text: z.string() }));
const pause = { reason: z.enum(["environment", "token-cap", "budget"]), detail: sentenceSchema };

export const workChoices = request("workChoices", {
  params: z.object({ workspace: z.nullable(z.string()), env }),
  answer: benchChoices,
});

export const workPlan = request("workPlan", {
  params: z.object({ ask: jobAsk, env, memories }),
  answer: z.object({ plan: benchPlan }),
});

export const workWakePlan = request("workWakePlan", {
  params: z.object({ ask: wakeAsk, env }),
  answer: z.object({ plan: wakePlanView }),
});

const end: z.ZodMiniType<WorkEnd> = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("done") }),
  z.object({ kind: z.literal("paused"), ...pause }),
  z.object({ kind: z.literal("cancelled") }),
]);
/** Answered when the work has ended, also after a cancel. */
export const workRun = request("workRun", {
  params: z.object({
    id: benchId,
    ask: anyAsk,
    env,
    memories,
    project: z.nullable(z.string()),
    selection: z.optional(selectView),
    comparison: z.optional(compareView),
  }),
  answer: z.object({ end }),
});

const runPlace = z.object({
  id: z.string(),
  side: z.int(),
  agent: z.string(),
  taskId: z.string(),
  round: z.int(),
});
const jobEvent: z.ZodMiniType<JobEvent> = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("outline"), outline: jobOutline }),
  z.object({ kind: z.literal("selection"), selection: selectView }),
  z.object({ kind: z.literal("comparison"), comparison: compareView }),
  z.object({ kind: z.literal("wake"), wake: wakeProgress }),
  z.object({ kind: z.literal("plan"), plan: benchPlan }),
  z.object({ kind: z.literal("resumed"), runs: z.array(benchRunSchema) }),
  z.object({ kind: z.literal("started"), run: runPlace, at: z.number() }),
  z.object({ kind: z.literal("live"), run: liveRun }),
  z.object({ kind: z.literal("ended"), run: benchRunSchema, done: z.int(), of: z.int() }),
  z.object({ kind: z.literal("paused"), ...pause }),
  z.object({ kind: z.literal("done") }),
]);
export const workEvent: NoticeKind<{ id: string; news: JobEvent }> = {
  method: "workNews",
  params: z.object({ id: z.string(), news: jobEvent }),
};
