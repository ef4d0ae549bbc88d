import { described, sentenceSchema } from "../../base/sentence-schema.ts";
import * as z from "zod/mini";
import { driverNames, benchRunSchema, configurationRoles } from "../../bench/run-facts.ts";

const count = z.int().check(z.nonnegative());
const tokens = z.number().check(z.nonnegative());

/** Part of every plan that is printed as JSON. */
export const plannedInstall = described(
  z.nullable(
    z.strictObject({
      packages: described(
        z.nullable(count),
        "The most it may be: some are for other systems. Null where nobody knows.",
      ),
    }),
  ),
  "What npm downloads before the first run: packages of the tasks' project. Null where they are there already, or it needs none.",
);

const plan = z.strictObject({
  runs: count,
  made: described(count, "Runs that were made before, where it is resumed."),
  tokens: described(
    tokens,
    "Processing tokens that the runs left are expected to take; 0 where they are replayed.",
  ),
  usd: described(z.nullable(z.number()), "By list price; null where nobody knows."),
  source: z.enum(["official", "measured", "estimated", "unknown"]),
  because: sentenceSchema,
  smallestSaving: described(
    z.nullable(z.number()),
    "Processing tokens a run that this many runs can tell from noise; null with one configuration.",
  ),
  warnings: z.array(sentenceSchema),
  install: plannedInstall,
});

const figures = z.strictObject({
  agent: z.string(),
  taskId: z.string(),
  side: described(count, "Index of the configuration."),
  runs: described(
    count,
    "That say something: none that died of its environment, and none that was cancelled.",
  ),
  passed: count,
  tokens: described(
    z.nullable(z.number()),
    "Processing tokens of a completed run, the mean; null without one.",
  ),
  run1: described(
    z.nullable(z.number()),
    "The first completed run's ever, as the ledger has it; null where it knows none.",
  ),
  best: z.nullable(z.number()),
  isUnsteady: described(z.boolean(), "Completed runs differ by more than a quarter."),
});

export const benchJson = z
  .strictObject({
    schema: z.literal(1),
    id: z.string(),
    state: z.enum(["planned", "done", "paused", "cancelled"]),
    reason: described(z.nullable(sentenceSchema), "Why it is paused."),
    driver: z.enum(driverNames),
    recordedBy: described(
      z.array(z.string()),
      "How replayed recordings were made: models' names, or script, which is no measurement of a model.",
    ),
    seed: z.int(),
    shard: z.nullable(z.strictObject({ index: z.int(), of: z.int() })),
    plan: z.nullable(plan),
    configurations: z.array(
      z.strictObject({
        label: sentenceSchema,
        agent: z.string(),
        model: z.string(),
        hash: z.string(),
        role: described(
          z.enum(configurationRoles),
          "active: the agent as it is, with its active rules, whose runs make baselines; audit: of a re-audit; candidate: anything else.",
        ),
      }),
    ),
    tasks: z.array(figures),
    runs: z.array(benchRunSchema),
  })
  .check(z.meta({ title: "purser bench --json" }));
export type BenchJson = z.infer<typeof benchJson>;

const baseline = z.strictObject({
  agent: z.string(),
  taskId: z.nullable(z.string()),
  taskHash: z.string(),
  model: z.string(),
  suiteHash: z.string(),
  driver: z.string(),
  run1Tokens: described(tokens, "Processing tokens of the first completed run, frozen for ever."),
  bestTokens: described(tokens, "The fewest of a completed run."),
});

export const baselineJson = z
  .strictObject({ schema: z.literal(1), baselines: z.array(baseline) })
  .check(z.meta({ title: "purser baseline show --json" }));
export type BaselineJson = z.infer<typeof baselineJson>;
