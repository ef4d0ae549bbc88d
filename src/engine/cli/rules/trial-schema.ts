import * as z from "zod";
import { trialHead, trialPlan, trialView } from "../../rules/answers/trial-view.ts";

/** Output of `purser trial … --json`. Members may be added; any other change changes `schema`. */
export const trialJson = z.object({
  schema: z.literal(1),
  plan: trialPlan.optional().describe("What was approved, or would be: start."),
  trial: trialView.optional().describe("Sessions and figures: status."),
  admitted: z
    .object({ id: z.string(), why: z.string(), memory: z.string().nullable() })
    .optional()
    .describe("A rule let into its agent's memory; memory says why that was not written, or null: admit."),
  trials: z
    .array(trialHead)
    .optional()
    .describe("Newest first: list; the one begun or stopped: start, stop."),
});
export type TrialJson = z.infer<typeof trialJson>;
