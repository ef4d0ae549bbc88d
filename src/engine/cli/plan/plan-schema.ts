import * as z from "zod/mini";
import { described } from "../../base/sentence-schema.ts";
import { driverNames } from "../../bench/run-facts.ts";
import { powerPlan } from "../../jobs/compare-answers.ts";

export const planJson = z.object({
  schema: z.literal(1),
  command: z.enum(["plan rules", "plan compare model", "plan compare prompt", "plan compare setting"]),
  agent: z.string(),
  model: z.string(),
  driver: z.enum(driverNames),
  rules: described(z.array(z.string()), "Ids of the rules that would be measured; empty for a comparison."),
  power: powerPlan,
});
export type PlanJson = z.infer<typeof planJson>;
