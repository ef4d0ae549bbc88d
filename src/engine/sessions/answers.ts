import * as z from "zod";
import { adviceLevels } from "./advice.ts";
import type { LiveSnapshot } from "./live-snapshot.ts";
import { allAgentNames } from "../transcripts/agents.ts";
import { activityStates } from "./reported/session.ts";

/** Schema of a snapshot received over the wire. Members unknown to this version are dropped. */

const figure = z.union([
  z.object({
    value: z.number(),
    provenance: z.enum(["official", "measured", "estimated"]),
    source: z.string(),
    isAssumed: z.literal(true).exactOptional(),
  }),
  z.object({ value: z.null(), provenance: z.literal("unknown"), source: z.string() }),
]);
const agentName = z.enum(allAgentNames);
export const sessionRoot = z.object({ agent: agentName, path: z.string() });
const text = z.string().nullable();
const time = z.number().nullable();
const usage = z.object({
  input: z.number(),
  output: z.number(),
  cacheCreation5m: z.number(),
  cacheCreation1h: z.number(),
  cacheRead: z.number(),
});
const context = { model: text, window: figure, occupancy: figure, percent: z.number().nullable() };

const subagent = z.object({
  ...context,
  id: z.string(),
  type: text,
  description: text,
  transcript: text,
  running: z.boolean(),
  tokens: z.number(),
  advice: z.enum(adviceLevels).nullable(),
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
  asOf: z.object({ at: z.number(), reason: z.string() }).nullable().default(null),
  live: z.boolean(),
  threshold: figure,
  headroom: figure,
  turnsLeft: figure,
  samples: z.number(),
  growth: figure,
  advice: z.enum(adviceLevels).nullable(),
  thresholds: z.object({ wrapUpAt: z.number(), endTurnAt: z.number() }),
  turns: z.number(),
  prompts: z.number(),
  toolCalls: z.number(),
  usage,
  cost: figure,
  official: z.object({ usd: figure, usage, isOld: z.boolean(), difference: figure }).nullable(),
  nextCall: figure,
  cacheExpiresAt: time,
  cacheRead: figure,
  compactions: z.number(),
  lastCompaction: z
    .object({
      trigger: z.enum(["auto", "manual", "unknown"]),
      preTokens: z.number().nullable(),
      postTokens: z.number().nullable(),
      at: time,
    })
    .nullable(),
  subagents: z.array(subagent),
  skippedLines: z.record(z.string(), z.number()),
  activity: activity.nullable().default(null),
  planLimits: z
    .array(
      z.object({
        name: z.string(),
        usedPercent: z.number(),
        resetsAt: time,
        usedUsd: z.number().nullable().default(null),
        limitUsd: z.number().nullable().default(null),
        period: z.string().nullable().default(null),
      }),
    )
    .default([]),
});

const problems = z.array(z.object({ path: z.string(), reason: z.string() }));

export const liveSnapshot: z.ZodType<LiveSnapshot> = z.object({
  sessions: z.array(session),
  roots: z.array(sessionRoot.extend({ exists: z.boolean() })),
  files: z.number(),
  problems,
  settingProblems: problems,
  ledgerProblem: z.string().optional(),
  complete: z.boolean(),
});
