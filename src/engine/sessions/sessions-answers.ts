import { sentenceSchema } from "../base/sentence-schema.ts";
import * as z from "zod/mini";
import { adviceLevels } from "./advice.ts";
import type { LiveSnapshot } from "./live-snapshot.ts";
import { allAgentNames } from "../transcripts/agents.ts";
import { activityStates } from "./reported.ts";

/** Schema of a snapshot received over the wire. Members unknown to this version are dropped. */

const figure = z.union([
  z.object({
    value: z.number(),
    provenance: z.enum(["official", "measured", "estimated"]),
    source: sentenceSchema,
    isAssumed: z.exactOptional(z.literal(true)),
  }),
  z.object({ value: z.null(), provenance: z.literal("unknown"), source: sentenceSchema }),
]);
const agentName = z.enum(allAgentNames);
export const sessionRoot = z.object({ agent: agentName, path: z.string() });
const text = z.nullable(z.string());
const time = z.nullable(z.number());
const usage = z.object({
  input: z.number(),
  output: z.number(),
  cacheCreation5m: z.number(),
  cacheCreation1h: z.number(),
  cacheRead: z.number(),
});
const context = { model: text, window: figure, occupancy: figure, percent: z.nullable(z.number()) };

const subagent = z.object({
  ...context,
  id: z.string(),
  type: text,
  description: text,
  transcript: text,
  running: z.boolean(),
  tokens: z.number(),
  advice: z.nullable(z.enum(adviceLevels)),
  compactions: z.number(),
  lastActivity: time,
});

const activity = z.object({
  state: z.enum(activityStates),
  at: z.number(),
  error: text,
  lastMessage: text,
});

const session = z.object({
  ...context,
  id: z.string(),
  agent: agentName,
  title: text,
  cwd: text,
  workingIn: text,
  folder: text,
  branch: text,
  transcript: z.string(),
  lastActivity: time,
  asOf: z._default(z.nullable(z.object({ at: z.number(), reason: sentenceSchema })), null),
  live: z.boolean(),
  threshold: figure,
  headroom: figure,
  turnsLeft: figure,
  samples: z.number(),
  growth: figure,
  advice: z.nullable(z.enum(adviceLevels)),
  thresholds: z.nullable(z.object({ wrapUpAt: z.number(), endTurnAt: z.number() })),
  turns: z.number(),
  prompts: z.number(),
  toolCalls: z.number(),
  usage,
  cost: figure,
  official: z.nullable(z.object({ usd: figure, usage, isOld: z.boolean(), difference: figure })),
  nextCall: figure,
  cacheExpiresAt: time,
  goingOn: z.object({ coldCall: figure, here: figure, fresh: figure }),
  cacheRead: figure,
  compactions: z.number(),
  lastCompaction: z.nullable(
    z.object({
      trigger: z.enum(["auto", "manual", "unknown"]),
      preTokens: z.nullable(z.number()),
      postTokens: z.nullable(z.number()),
      at: time,
    }),
  ),
  subagents: z.array(subagent),
  skippedLines: z.record(z.string(), z.number()),
  activity: z._default(z.nullable(activity), null),
  planLimits: z._default(
    z.array(
      z.object({
        name: z.string(),
        usedPercent: z.number(),
        resetsAt: time,
        usedUsd: z._default(z.nullable(z.number()), null),
        limitUsd: z._default(z.nullable(z.number()), null),
        period: z._default(z.nullable(z.string()), null),
      }),
    ),
    [],
  ),
  observing: z.optional(z.array(z.string())),
});

const problems = z.array(z.object({ path: z.string(), reason: sentenceSchema }));

export const liveSnapshot: z.ZodMiniType<LiveSnapshot> = z.object({
  sessions: z.array(session),
  roots: z.array(z.extend(sessionRoot, { exists: z.boolean() })),
  files: z.number(),
  problems,
  settingProblems: problems,
  ledgerProblem: z.optional(sentenceSchema),
  complete: z.boolean(),
});
