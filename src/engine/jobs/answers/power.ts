import { sentenceSchema } from "../../base/sentence-schema.ts";
import * as z from "zod/mini";
import type { PowerPlan } from "../../verdict/power.ts";
import { count } from "./shared.ts";

const share = z.number().check(z.minimum(0), z.maximum(1));
const figure = z.object({
  value: z.number(),
  source: z.enum(["official", "measured", "estimated", "unknown"]),
  because: sentenceSchema,
});
const point = z.object({
  tokens: z.number().check(z.describe("Processing tokens a rule, or a change.")),
  rounds: count,
  chances: z.array(share).check(z.describe("The chance to decide for each of the savings.")),
});

export const powerPlan: z.ZodMiniType<PowerPlan> = z.object({
  savings: z.array(share).check(z.describe("Shares of a run's tokens that a change truly saves.")),
  together: count.check(
    z.describe("Rules, or changes, that are measured with the same runs; 1 for one rule or one change."),
  ),
  isOfArms: z
    .optional(z.boolean())
    .check(
      z.describe(
        "True for several changes: the curves are of each with as-is runs of its own, and of all at once.",
      ),
    ),
  curves: z.array(
    z.object({
      together: count,
      points: z.array(point),
      most: point.check(z.describe("All rounds of the question.")),
    }),
  ),
  noise: figure.check(z.describe("Standard deviation of the logarithm of tokens, over runs of one task.")),
  perRun: figure.check(z.describe("Expected processing tokens of a run.")),
  passShare: share.check(z.describe("Share of runs that pass: a documented default.")),
  tasks: count,
  barShare: share.check(z.describe("What a completed run must save to be kept, as a share of its tokens.")),
  confirmation: z
    .optional(z.object({ rounds: count, tokens: z.number() }))
    .check(z.describe("What confirming the rules that are found, as a whole, takes at most beyond that.")),
  trial: z
    .nullable(
      z.object({
        noise: z
          .number()
          .check(
            z.describe("Standard deviation of the logarithm of tokens a completed prompt, between sessions."),
          ),
        source: z.enum(["official", "measured", "estimated", "unknown"]),
        because: sentenceSchema,
        sessionsADay: z.number(),
        needed: z.array(z.object({ share, sessions: count, days: z.nullable(count) })),
      }),
    )
    .check(z.describe("How long a trial on real work would take; null where none is possible.")),
  advice: z.array(sentenceSchema),
});
