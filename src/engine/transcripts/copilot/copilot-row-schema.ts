import * as z from "zod/mini";
import {
  maybeTokens,
  optionalFlag,
  optionalText,
  optionalTime,
  optionalTokens,
  tokens,
} from "../row-values.ts";

/**
 * Schemas for the lines of a Copilot CLI `events.jsonl`, as far as purser reads them. Every object is loose, and only
 * what a figure is based on is required. Source: `schemas/session-events.schema.json` in the package of 1.0.102.
 */

/** `inputTokens` includes both cache counters, `outputTokens` the reasoning. */
const usage = z.looseObject({
  inputTokens: maybeTokens,
  outputTokens: maybeTokens,
  cacheReadTokens: maybeTokens,
  cacheWriteTokens: maybeTokens,
  reasoningTokens: maybeTokens,
});

export const anyRow = z.looseObject({
  type: z.string(),
  id: optionalText,
  timestamp: optionalTime,
  agentId: optionalText,
  data: z.optional(z.unknown()),
});

const place = z.catch(z.nullish(z.looseObject({ cwd: optionalText, branch: optionalText })), null);

export const startData = z.looseObject({
  sessionId: optionalText,
  copilotVersion: optionalText,
  selectedModel: optionalText,
  context: place,
  /** The session this one continues, headless. */
  detachedFromSpawningParentSessionId: optionalText,
});

export const resumeData = z.looseObject({ selectedModel: optionalText, context: place });

export const placeData = z.looseObject({ cwd: optionalText, branch: optionalText });

export const titleData = z.looseObject({ title: z.string() });

export const modelData = z.looseObject({ newModel: z.string() });

const quota = z.looseObject({
  remainingPercentage: z.number(),
  resetDate: optionalTime,
  isUnlimitedEntitlement: optionalFlag,
});

/** One response's usage, from 1.0.10x on. */
export const usageData = z.looseObject({
  usage: z.extend(usage, {
    model: optionalText,
    maxPromptTokens: optionalTokens,
    apiCallId: optionalText,
    /** Seconds the context stays in the provider's cache after this response, if the agent knows. */
    cacheTtlSeconds: z.catch(z.nullish(z.int().check(z.positive())), null),
    /** The call that started the subagent, in versions whose rows do not name the subagent. */
    parentToolCallId: optionalText,
    /** `stop` when the model has finished, `tool_calls` when it waits for tools. */
    finishReason: optionalText,
    /** The session in which it was first accounted for: sessions repeat others' records. */
    accounting: z.catch(
      z.nullish(z.looseObject({ sourceSessionId: z.string(), sequence: tokens, usageId: optionalText })),
      null,
    ),
    quotaSnapshots: z.catch(z.nullish(z.record(z.string(), quota)), null),
  }),
});

/** The usage so far, by model: of the session, or of the ending process. */
export const totalData = z.looseObject({
  modelMetrics: z.record(
    z.string(),
    z.looseObject({
      usage,
      requests: z.catch(z.nullish(z.looseObject({ count: maybeTokens })), null),
    }),
  ),
});

/**
 * The total usage of a compaction's own requests, whether it was applied or not. No other row or total includes it.
 * Versions before `session.usage_record` use other names for the counters.
 */
export const compactionUsageData = z.looseObject({
  compactionAttemptId: optionalText,
  compactionTokensUsed: z.catch(z.nullish(z.extend(usage, { model: optionalText })), null),
});

/** Older versions record a message's output tokens beside it. */
export const messageData = z.looseObject({ outputTokens: optionalTokens });

export type CopilotUsage = z.infer<typeof usage>;
export type UsageData = z.infer<typeof usageData>["usage"];
export type CompactionUsageData = z.infer<typeof compactionUsageData>;
export type QuotaSnapshots = UsageData["quotaSnapshots"];
export type TotalData = z.infer<typeof totalData>;

/** Families of line types that contain nothing more that purser needs. Any other type is counted as unknown. */
const quiet =
  /^(?:abort|assistant|capabilities|commands|elicitation|exit_plan_mode|external_tool|fusion|hook|mcp|model|permission|sampling|session|skill|subagent|system|tool|user|user_input)(?:\.|$)/u;

export function isQuiet(type: string): boolean {
  return quiet.test(type);
}
