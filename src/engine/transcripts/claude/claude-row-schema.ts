import * as z from "zod";

/**
 * Schemas for the transcript rows of Claude Code, as far as purser reads them. The format is internal to the agent and
 * changes with its releases, so unknown members are ignored, and only what a figure is based on is required.
 */

/** A token counter. A value that is not a whole number from 0 up invalidates its row instead of falsifying a sum. */
const tokens = z.int().nonnegative();
const text = z.string();
/** An id; some gateways write numbers. */
const id = z.union([text, z.int().transform(String)]);
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
  /**
   * The terms that decide the price, and the API calls that the usage covers: see `usage/terms.ts` and
   * `usage/iterations.ts`.
   */
  speed: z.unknown().optional(),
  inference_geo: z.unknown().optional(),
  service_tier: z.unknown().optional(),
  server_tool_use: z.unknown().optional(),
  iterations: z.unknown().optional(),
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
  uuid: id.nullish().catch(null),
  requestId: id.nullish(),
  requestedModel: text.nullish(),
  /** The model that advises the session's. */
  advisorModel: text.nullish().catch(null),
  isApiErrorMessage: z.boolean().nullish(),
  /** Only on rows copied by `--fork-session`: the session that really made the request. */
  requestSessionId: text.nullish().catch(null),
  /** Only on rows copied by `/branch`: the row they were copied from. */
  forkedFrom: z.unknown().optional(),
  message: z.object({
    id: id.nullish(),
    model: text.nullish(),
    stop_reason: text.nullish().catch(null),
    content: z.unknown().optional(),
    /** What was cleared from the context before the request. */
    context_management: z.unknown().optional(),
    usage: usage.nullish(),
  }),
});

export const userRow = z.object({
  ...common,
  isMeta: z.boolean().nullish(),
  isCompactSummary: z.boolean().nullish(),
  /** Who began the turn, such as `human`. */
  turnOrigin: text.nullish().catch(null),
  message: z.object({ content: z.unknown().optional() }).nullish(),
});

/** A block in which the model calls a tool. */
export const toolCall = z.object({ type: z.literal("tool_use"), id: text.min(1), name: text });

/** A person's prompt: text, or blocks of text and images. Tool results also arrive as user rows; those do not match. */
export const askedContent = z.union([
  text,
  z.array(z.object({ type: text.refine((type) => type !== "tool_result"), text: text.nullish() })),
]);

/** Older versions nest a subagent's row in its parent's `progress` rows. Only a row with `usage` is a response. */
export const progressRow = z.looseObject({
  ...common,
  timestamp: z.unknown().optional(),
  data: z
    .looseObject({
      message: z
        .looseObject({
          uuid: z.unknown().optional(),
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
  content: text.nullish().catch(null),
  precomputed: z.boolean().nullish().catch(null),
  microcompactMetadata: z
    .looseObject({ tokensSaved: tokens.nullish().catch(null) })
    .nullish()
    .catch(null),
  compactMetadata: z
    .looseObject({
      precomputed: z.boolean().nullish().catch(null),
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
      roughTokens: z.number().nullish().catch(null),
    })
    .nullish(),
});

/** Written while a script runs: a tool call that it makes, or the end of one. The model sees neither. */
export const hostRow = z.object({
  /** The call that runs the script. */
  ranByToolUseId: text,
  block: z.object({ type: text, id: text.nullish() }),
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
export type RequestParams = z.infer<typeof requestRow>;
export type SystemRow = z.infer<typeof systemRow>;
export type AttachmentRow = z.infer<typeof attachmentRow>;
export type UsageRow = z.infer<typeof usage>;
