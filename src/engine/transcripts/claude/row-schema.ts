import * as z from "zod";

/**
 * The rows of a Claude Code transcript, as far as purser reads them. The format is internal to the agent and changes
 * with its releases, so any other member is passed over, and only what a figure rests on is required.
 */

/** A counter of tokens. A value that is not a whole number from 0 up spoils its row rather than a sum. */
const tokens = z.int().nonnegative();
const text = z.string();
const time = z.string().transform((value) => {
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : at;
});

const usage = z.object({
  input_tokens: tokens.nullish(),
  output_tokens: tokens.nullish(),
  cache_creation_input_tokens: tokens.nullish(),
  cache_read_input_tokens: tokens.nullish(),
  cache_creation: z
    .looseObject({
      ephemeral_5m_input_tokens: tokens.nullish(),
      ephemeral_1h_input_tokens: tokens.nullish(),
    })
    .nullish(),
});

const common = {
  sessionId: text.nullish(),
  timestamp: time.nullish().catch(null),
  cwd: text.nullish(),
  gitBranch: text.nullish().catch(null),
  isSidechain: z.boolean().nullish(),
};

export const assistantRow = z.object({
  ...common,
  requestId: text.nullish(),
  requestedModel: text.nullish(),
  isApiErrorMessage: z.boolean().nullish(),
  /** Only on rows that `--fork-session` copied: the session that really made the request. */
  requestSessionId: text.nullish().catch(null),
  /** Only on rows that `/branch` copied: the row they were copied from. */
  forkedFrom: z.unknown().optional(),
  message: z.object({
    id: text.nullish(),
    model: text.nullish(),
    stop_reason: text.nullish().catch(null),
    content: z.unknown().optional(),
    usage: usage.nullish(),
  }),
});

export const userRow = z.object({
  ...common,
  isMeta: z.boolean().nullish(),
  isCompactSummary: z.boolean().nullish(),
  message: z.object({ content: z.unknown().optional() }).nullish(),
});

/** A block in which the model calls a tool. */
export const toolCall = z.object({ type: z.literal("tool_use"), id: text.min(1), name: text });

/** What a person asked: text, or blocks of text and pictures. Tool results come back as user rows too; those are not. */
export const askedContent = z.union([
  text,
  z.array(z.object({ type: text.refine((type) => type !== "tool_result"), text: text.nullish() })),
]);

/** Older versions nest a subagent's row in its parent's `progress` rows. Only one with `usage` is a response. */
export const progressRow = z.looseObject({
  ...common,
  timestamp: z.unknown().optional(),
  data: z
    .looseObject({
      message: z
        .looseObject({
          requestId: z.unknown().optional(),
          timestamp: z.unknown().optional(),
          message: z.looseObject({ usage: z.unknown().optional() }).nullish().catch(null),
        })
        .nullish()
        .catch(null),
    })
    .nullish()
    .catch(null),
});

export const systemRow = z.object({
  ...common,
  subtype: text.nullish(),
  compactMetadata: z
    .looseObject({
      trigger: text.nullish(),
      preTokens: tokens.nullish().catch(null),
      postTokens: tokens.nullish().catch(null),
    })
    .nullish(),
});

export const attachmentRow = z.object({
  ...common,
  attachment: z
    .looseObject({
      type: text.nullish(),
      identity: z.object({ modelId: text.nullish() }).nullish().catch(null),
      text: text.nullish().catch(null),
      remaining: z.number().nullish().catch(null),
    })
    .nullish(),
});

export const requestRow = z.object({
  params: z.object({ model: text.nullish(), betas: z.array(text).nullish().catch(null) }),
});

const modelTotal = z.object({
  inputTokens: tokens,
  outputTokens: tokens,
  cacheReadInputTokens: tokens,
  cacheCreationInputTokens: tokens,
  cacheCreationEphemeral1hInputTokens: tokens.nullish(),
});

export const costRow = z.object({
  totalCostUSD: z.number().nonnegative(),
  modelUsage: z.record(text, modelTotal).nullish().catch(null),
});

export const titleRow = z.object({
  summary: text.nullish(),
  aiTitle: text.nullish(),
  customTitle: text.nullish(),
  title: text.nullish(),
});

export const anyRow = z.object({ type: text, ...common });

export type AnyRow = z.infer<typeof anyRow>;
export type UserRow = z.infer<typeof userRow>;
export type AssistantRow = z.infer<typeof assistantRow>;
export type CostRow = z.infer<typeof costRow>;
export type ProgressRow = z.infer<typeof progressRow>;
export type SystemRow = z.infer<typeof systemRow>;
export type AttachmentRow = z.infer<typeof attachmentRow>;
export type UsageRow = z.infer<typeof usage>;
