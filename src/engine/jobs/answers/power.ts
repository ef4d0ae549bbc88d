import { described, sentenceSchema } from "../../base/sentence-schema.ts";
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
  tokens: described(z.number(), "Processing tokens a rule, or a change."),
  rounds: count,
  chances: described(z.array(share), "The chance to decide for each of the savings."),
});

const worthPlan = z.object({
  rounds: count,
  tokens: z.number(),
  usd: z.nullable(z.number()),
  hours: z.number(),
  net: described(
    z.number(),
    "Tokens that the rules that are found are expected to save until the next model, less those of the measurement.",
  ),
  sessions: described(z.number(), "After which it has paid for itself."),
  days: z.number(),
  use: described(
    z.object({ perWeek: z.number(), weeks: z.number() }),
    "Sessions a week, and weeks until the next model, that this rests on.",
  ),
  pays: described(z.boolean(), "Whether it has paid for itself before the next model."),
  more: described(
    count,
    "Further candidates with which it would pay; 0 if it pays already, or if these do not help.",
  ),
});

export const powerPlan: z.ZodMiniType<PowerPlan> = z.object({
  savings: described(z.array(share), "Shares of a run's tokens that a change truly saves."),
  together: described(
    count,
    "Rules, or changes, that are measured with the same runs; 1 for one rule or one change.",
  ),
  isOfArms: described(
    z.optional(z.boolean()),
    "True for several changes: the curves are of each with as-is runs of its own, and of all at once.",
  ),
  curves: z.array(
    z.object({
      together: count,
      points: z.array(point),
      most: described(point, "All rounds of the question."),
    }),
  ),
  noise: described(figure, "Standard deviation of the logarithm of tokens, over runs of one task."),
  perRun: described(figure, "Expected processing tokens of a run."),
  passShare: described(share, "Share of runs that pass: a documented default."),
  tasks: count,
  barShare: described(share, "What a run must save to be kept, as a share of its tokens."),
  confirmation: described(
    z.optional(z.object({ rounds: count, tokens: z.number() })),
    "What confirming the rules that are found, as a whole, takes at most beyond that.",
  ),
  trial: described(
    z.nullable(
      z.object({
        noise: described(
          z.number(),
          "Standard deviation of the logarithm of tokens a completed prompt, between sessions.",
        ),
        source: z.enum(["official", "measured", "estimated", "unknown"]),
        because: sentenceSchema,
        sessionsADay: z.number(),
        needed: z.array(z.object({ share, sessions: count, days: z.nullable(count) })),
      }),
    ),
    "How long a trial on real work would take; null where none is possible.",
  ),
  worth: described(
    z.optional(worthPlan),
    "What it takes to see which rules are worth having; absent where that is not known.",
  ),
  proof: described(z.optional(worthPlan), "What it takes at most to prove which rules save."),
  advice: z.array(sentenceSchema),
});
