import * as z from "zod";
import { allAgentNames } from "../../transcripts/agents.ts";
import { adviceLevels } from "../../sessions/advice.ts";
import { activityStates } from "../../sessions/reported/session.ts";

const tokens = z.int().nonnegative();
const provenance = z
  .enum(["official", "measured", "estimated", "unknown"])
  .describe("Who says so: the agent, its API or the user; counted; modelled; or nobody knows (then null).");
const source = z.string().describe("What the figure rests on, in words.");
const money = z.strictObject({ usd: z.number().nullable().describe("US dollars."), provenance, source });
const window = z.strictObject({ tokens: tokens.nullable(), provenance, source });
const context = z.strictObject({
  tokens: tokens.nullable().describe("Occupancy: what the last request put into the window."),
  percent: z.number().min(0).max(100).nullable().describe("Of the window."),
  provenance,
  source,
});

/** Output of `purser status --json`. Members may be added; any other change changes `schema`. */
export const statusJson = z
  .strictObject({
    schema: z.literal(1),
    sessions: z.array(
      z.strictObject({
        id: z.string(),
        agent: z.enum(allAgentNames),
        title: z.string().nullable(),
        cwd: z.string().nullable().describe("Folder the session began in."),
        branch: z.string().nullable(),
        model: z.string().nullable(),
        live: z.boolean().describe("Has a process now, or changed lately."),
        lastActivity: z.iso.datetime().nullable(),
        asOf: z.iso
          .datetime()
          .nullable()
          .describe(
            "When the agent last wrote its file, where it writes only now and then; null for others.",
          ),
        transcript: z.string(),
        window,
        context,
        headroom: z.strictObject({
          tokens: tokens.nullable().describe("Until automatic compaction."),
          turns: tokens.nullable().describe("Main-chain API responses until then, at the recent growth."),
          provenance,
          samples: tokens.describe("Compactions the threshold was learned from."),
          source: z.string(),
        }),
        growth: z.number().nullable().describe("Tokens the context grows by in a turn."),
        advice: z.enum(adviceLevels).nullable(),
        turns: tokens.describe("Main-chain API responses so far."),
        toolCalls: tokens.describe("Tool calls so far, each once, subagents' included."),
        usage: z.strictObject({
          input: tokens,
          output: tokens,
          cacheCreation: tokens,
          cacheRead: tokens,
        }),
        cost: money.extend({
          official: money
            .extend({
              tokens: tokens.describe("All tokens of the agent's own total."),
              isOld: z.boolean().describe("The total is from before the session was resumed."),
              difference: money.describe("The agent's total less ours of the same responses."),
            })
            .nullable()
            .describe("The agent's own running total, where it tells one."),
        }),
        nextCall: money.describe("Sending the present context once more."),
        subagents: z.array(
          z.strictObject({
            id: z.string(),
            type: z.string().nullable(),
            description: z.string().nullable(),
            model: z.string().nullable(),
            running: z.boolean(),
            window,
            context,
            tokens: tokens.describe("All tokens its responses used."),
            advice: z.enum(adviceLevels).nullable().describe("On its own context."),
          }),
        ),
        compactions: tokens,
        activity: z
          .strictObject({
            state: z.enum(activityStates),
            since: z.iso.datetime(),
            error: z.string().nullable().describe("Why the last turn failed, in the agent's word."),
          })
          .nullable()
          .describe("As hooks tell it; null where none do."),
        planLimits: z
          .array(
            z.strictObject({
              name: z.string(),
              percent: z.number().min(0).describe("Used; more than 100 where a limit can be passed."),
              resetsAt: z.iso.datetime().nullable(),
              usedUsd: z.number().nullable().describe("Only of a limit of spending."),
              limitUsd: z.number().nullable(),
              period: z.string().nullable().describe("What the limit applies to, in the agent's word."),
            }),
          )
          .describe("As the agent's status line tells them, where that is chained."),
        skippedLines: z.record(z.string(), tokens).describe("Lines left out, by kind."),
      }),
    ),
    roots: z.array(z.string()).describe("Folders looked in."),
    problems: z
      .array(z.strictObject({ path: z.string(), reason: z.string() }))
      .describe("What could not be read, and settings that are not used."),
  })
  .meta({ title: "purser status --json" });

export type StatusJson = z.infer<typeof statusJson>;
