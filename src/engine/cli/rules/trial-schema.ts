import { described, sentenceSchema } from "../../base/sentence-schema.ts";
import * as z from "zod/mini";
import { trialHead, trialPlan, trialView } from "../../rules/trial-answers.ts";

export const trialJson = z.object({
  schema: z.literal(1),
  plan: described(z.optional(trialPlan), "What was approved, or would be: start."),
  trial: described(z.optional(trialView), "Sessions and figures: status."),
  admitted: described(
    z.optional(z.object({ id: z.string(), why: sentenceSchema, memory: z.nullable(sentenceSchema) })),
    "A rule let into its agent's memory; memory says why that was not written, or null: admit.",
  ),
  trials: described(
    z.optional(z.array(trialHead)),
    "Newest first: list; the one begun or stopped: start, stop.",
  ),
});
export type TrialJson = z.infer<typeof trialJson>;
