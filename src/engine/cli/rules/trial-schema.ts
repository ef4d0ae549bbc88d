import { sentenceSchema } from "../../base/sentence-schema.ts";
import * as z from "zod/mini";
import { trialHead, trialPlan, trialView } from "../../rules/trial-answers.ts";

export const trialJson = z.object({
  schema: z.literal(1),
  plan: z.optional(trialPlan).check(z.describe("What was approved, or would be: start.")),
  trial: z.optional(trialView).check(z.describe("Sessions and figures: status.")),
  admitted: z
    .optional(z.object({ id: z.string(), why: sentenceSchema, memory: z.nullable(sentenceSchema) }))
    .check(
      z.describe("A rule let into its agent's memory; memory says why that was not written, or null: admit."),
    ),
  trials: z
    .optional(z.array(trialHead))
    .check(z.describe("Newest first: list; the one begun or stopped: start, stop.")),
});
export type TrialJson = z.infer<typeof trialJson>;
