import * as z from "zod";
import type { PowerPlan } from "../../verdict/power/power.ts";
import { count } from "./shared.ts";

const share = z.number().min(0).max(1);
const figure = z.object({
  value: z.number(),
  source: z.enum(["official", "measured", "estimated", "unknown"]),
  because: z.string(),
});
const point = z.object({
  tokens: z.number().describe("Processing tokens a rule, or a change."),
  rounds: count,
  chances: z.array(share).describe("The chance to decide for each of the savings."),
});

/** Chances to decide by budget. */
export const powerPlan: z.ZodType<PowerPlan> = z.object({
  savings: z.array(share).describe("Shares of a run's tokens that a change truly saves."),
  together: count.describe(
    "Rules, or changes, that are measured with the same runs; 1 for one rule or one change.",
  ),
  isOfArms: z
    .boolean()
    .optional()
    .describe(
      "True for several changes: the curves are of each with as-is runs of its own, and of all at once.",
    ),
  curves: z.array(
    z.object({
      together: count,
      points: z.array(point),
      most: point.describe("All rounds of the question."),
    }),
  ),
  noise: figure.describe("Standard deviation of the logarithm of tokens, over runs of one task."),
  perRun: figure.describe("Expected processing tokens of a run."),
  passShare: share.describe("Share of runs that pass: a documented default."),
  tasks: count,
  barShare: share.describe("What a completed run must save to be kept, as a share of its tokens."),
  confirmation: z
    .object({ rounds: count, tokens: z.number() })
    .optional()
    .describe("What confirming the rules that are found, as a whole, takes at most beyond that."),
  trial: z
    .object({
      noise: z
        .number()
        .describe("Standard deviation of the logarithm of tokens a completed prompt, between sessions."),
      source: z.enum(["official", "measured", "estimated", "unknown"]),
      because: z.string(),
      sessionsADay: z.number(),
      needed: z.array(z.object({ share, sessions: count, days: count.nullable() })),
    })
    .nullable()
    .describe("How long a trial on real work would take; null where none is possible."),
  advice: z.array(z.string()),
});
