import { sentenceSchema } from "../../base/sentence-schema.ts";
import * as z from "zod/mini";
import { allAgentNames } from "../../transcripts/agents.ts";
import { adviceLevels } from "../../sessions/advice.ts";
import { activityStates } from "../../sessions/reported.ts";

const tokens = z.int().check(z.nonnegative());
const provenance = z
  .enum(["official", "measured", "estimated", "unknown"])
  .check(
    z.describe(
      "Who says so: the agent, its API or the user; counted; modelled; or nobody knows (then null).",
    ),
  );
const source = sentenceSchema.check(z.describe("What the figure rests on, in words."));
const money = z.strictObject({
  usd: z.nullable(z.number()).check(z.describe("US dollars.")),
  provenance,
  source,
});
const window = z.strictObject({ tokens: z.nullable(tokens), provenance, source });
const context = z.strictObject({
  tokens: z.nullable(tokens).check(z.describe("Occupancy: what the last request put into the window.")),
  percent: z.nullable(z.number().check(z.minimum(0), z.maximum(100))).check(z.describe("Of the window.")),
  provenance,
  source,
});

export const statusJson = z
  .strictObject({
    schema: z.literal(1),
    sessions: z.array(
      z.strictObject({
        id: z.string(),
        agent: z.enum(allAgentNames),
        title: z.nullable(z.string()),
        cwd: z.nullable(z.string()).check(z.describe("Folder the session began in.")),
        branch: z.nullable(z.string()),
        model: z.nullable(z.string()),
        live: z.boolean().check(z.describe("Has a process now, or changed lately.")),
        lastActivity: z.nullable(z.iso.datetime()),
        asOf: z
          .nullable(z.iso.datetime())
          .check(
            z.describe(
              "When the agent last wrote its file, where it writes only now and then; null for others.",
            ),
          ),
        transcript: z.string(),
        window,
        context,
        headroom: z.strictObject({
          tokens: z.nullable(tokens).check(z.describe("Until automatic compaction.")),
          turns: z
            .nullable(tokens)
            .check(z.describe("Main-chain API responses until then, at the recent growth.")),
          provenance,
          samples: tokens.check(z.describe("Compactions the threshold was learned from.")),
          source: sentenceSchema,
        }),
        growth: z.nullable(z.number()).check(z.describe("Tokens the context grows by in a turn.")),
        advice: z.nullable(z.enum(adviceLevels)),
        turns: tokens.check(z.describe("Main-chain API responses so far.")),
        toolCalls: tokens.check(z.describe("Tool calls so far, each once, subagents' included.")),
        usage: z.strictObject({
          input: tokens,
          output: tokens,
          cacheCreation: tokens,
          cacheRead: tokens,
        }),
        cost: z.extend(money, {
          official: z
            .nullable(
              z.extend(money, {
                tokens: tokens.check(z.describe("All tokens of the agent's own total.")),
                isOld: z.boolean().check(z.describe("The total is from before the session was resumed.")),
                difference: money.check(z.describe("The agent's total less ours of the same responses.")),
              }),
            )
            .check(z.describe("The agent's own running total, where it tells one.")),
        }),
        nextCall: money.check(z.describe("Sending the present context once more.")),
        subagents: z.array(
          z.strictObject({
            id: z.string(),
            type: z.nullable(z.string()),
            description: z.nullable(z.string()),
            model: z.nullable(z.string()),
            running: z.boolean(),
            window,
            context,
            tokens: tokens.check(z.describe("All tokens its responses used.")),
            advice: z.nullable(z.enum(adviceLevels)).check(z.describe("On its own context.")),
          }),
        ),
        compactions: tokens,
        activity: z
          .nullable(
            z.strictObject({
              state: z.enum(activityStates),
              since: z.iso.datetime(),
              error: z
                .nullable(z.string())
                .check(z.describe("Why the last turn failed, in the agent's word.")),
            }),
          )
          .check(z.describe("As hooks tell it; null where none do.")),
        planLimits: z
          .array(
            z.strictObject({
              name: z.string(),
              percent: z
                .number()
                .check(z.minimum(0), z.describe("Used; more than 100 where a limit can be passed.")),
              resetsAt: z.nullable(z.iso.datetime()),
              usedUsd: z.nullable(z.number()).check(z.describe("Only of a limit of spending.")),
              limitUsd: z.nullable(z.number()),
              period: z
                .nullable(z.string())
                .check(z.describe("What the limit applies to, in the agent's word.")),
            }),
          )
          .check(z.describe("As the agent's status line tells them, where that is chained.")),
        skippedLines: z.record(z.string(), tokens).check(z.describe("Lines left out, by kind.")),
      }),
    ),
    roots: z.array(z.string()).check(z.describe("Folders looked in.")),
    problems: z
      .array(z.strictObject({ path: z.string(), reason: sentenceSchema }))
      .check(z.describe("What could not be read, and settings that are not used.")),
  })
  .check(z.meta({ title: "purser status --json" }));

export type StatusJson = z.infer<typeof statusJson>;
