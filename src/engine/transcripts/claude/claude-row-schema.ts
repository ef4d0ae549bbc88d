import * as z from "zod/mini";

/**
 * Schemas for the transcript rows of Claude Code, as far as purser reads them. The format is internal to the agent and
 * changes with its releases, so unknown members are ignored, and only what a figure is based on is required.
 */

/** A token counter. A value that is not a whole number from 0 up invalidates its row instead of falsifying a sum. */
const tokens = z.int().check(z.nonnegative());
const text = z.string();
/** An id; some gateways write numbers. */
const id = z.union([text, z.pipe(z.int(), z.transform(String))]);
const time = z.pipe(
  z.string(),
  z.transform((value) => {
    const at = Date.parse(value);
    return Number.isNaN(at) ? null : at;
  }),
);

const usage = z.object({
  input_tokens: z.nullish(tokens),
  output_tokens: z.nullish(tokens),
  cache_creation_input_tokens: z.nullish(tokens),
  cache_read_input_tokens: z.nullish(tokens),
  cache_creation: z.nullish(
    z.looseObject({
      ephemeral_5m_input_tokens: z.nullish(tokens),
      ephemeral_1h_input_tokens: z.nullish(tokens),
    }),
  ),
  /**
   * The terms that decide the price, and the API calls that the usage covers: see `usage/terms.ts` and
   * `usage/iterations.ts`.
   */
  speed: z.optional(z.unknown()),
  inference_geo: z.optional(z.unknown()),
  service_tier: z.optional(z.unknown()),
  server_tool_use: z.optional(z.unknown()),
  iterations: z.optional(z.unknown()),
});

const common = {
  sessionId: z.nullish(text),
  timestamp: z.catch(z.nullish(time), null),
  cwd: z.nullish(text),
  gitBranch: z.catch(z.nullish(text), null),
  isSidechain: z.nullish(z.boolean()),
};

export const assistantRow = z.object({
  ...common,
  uuid: z.catch(z.nullish(id), null),
  requestId: z.nullish(id),
  requestedModel: z.nullish(text),
  advisorModel: z.catch(z.nullish(text), null),
  isApiErrorMessage: z.nullish(z.boolean()),
  /** Only on rows copied by `--fork-session`: the session that really made the request. */
  requestSessionId: z.catch(z.nullish(text), null),
  /** Only on rows copied by `/branch`: the row they were copied from. */
  forkedFrom: z.optional(z.unknown()),
  message: z.object({
    id: z.nullish(id),
    model: z.nullish(text),
    stop_reason: z.catch(z.nullish(text), null),
    content: z.optional(z.unknown()),
    /** What was cleared from the context before the request. */
    context_management: z.optional(z.unknown()),
    usage: z.nullish(usage),
  }),
});

export const userRow = z.object({
  ...common,
  isMeta: z.nullish(z.boolean()),
  isCompactSummary: z.nullish(z.boolean()),
  /** Who began the turn, such as `human`. */
  turnOrigin: z.catch(z.nullish(text), null),
  message: z.nullish(z.object({ content: z.optional(z.unknown()) })),
});

export const toolCall = z.object({ type: z.literal("tool_use"), id: text.check(z.minLength(1)), name: text });

/** A person's prompt: text, or blocks of text and images. Tool results also arrive as user rows; those do not match. */
export const askedContent = z.union([
  text,
  z.array(z.object({ type: text.check(z.refine((type) => type !== "tool_result")), text: z.nullish(text) })),
]);

/** Older versions nest a subagent's row in its parent's `progress` rows. Only a row with `usage` is a response. */
export const progressRow = z.looseObject({
  ...common,
  timestamp: z.optional(z.unknown()),
  data: z.catch(
    z.nullish(
      z.looseObject({
        message: z.catch(
          z.nullish(
            z.looseObject({
              uuid: z.optional(z.unknown()),
              requestId: z.optional(z.unknown()),
              timestamp: z.optional(z.unknown()),
              message: z.catch(z.nullish(z.looseObject({ usage: z.optional(z.unknown()) })), null),
            }),
          ),
          null,
        ),
      }),
    ),
    null,
  ),
});

export const systemRow = z.object({
  ...common,
  subtype: z.nullish(text),
  content: z.catch(z.nullish(text), null),
  precomputed: z.catch(z.nullish(z.boolean()), null),
  microcompactMetadata: z.catch(
    z.nullish(z.looseObject({ tokensSaved: z.catch(z.nullish(tokens), null) })),
    null,
  ),
  compactMetadata: z.nullish(
    z.looseObject({
      precomputed: z.catch(z.nullish(z.boolean()), null),
      trigger: z.nullish(text),
      preTokens: z.catch(z.nullish(tokens), null),
      postTokens: z.catch(z.nullish(tokens), null),
    }),
  ),
});

export const attachmentRow = z.object({
  ...common,
  attachment: z.nullish(
    z.looseObject({
      type: z.nullish(text),
      identity: z.catch(z.nullish(z.object({ modelId: z.nullish(text) })), null),
      text: z.catch(z.nullish(text), null),
      remaining: z.catch(z.nullish(z.number()), null),
      roughTokens: z.catch(z.nullish(z.number()), null),
    }),
  ),
});

/** Written while a script runs: a tool call that it makes, or the end of one. The model sees neither. */
export const hostRow = z.object({
  /** The call that runs the script. */
  ranByToolUseId: text,
  block: z.object({ type: text, id: z.nullish(text) }),
});

export const requestRow = z.object({
  params: z.object({ model: z.nullish(text), betas: z.catch(z.nullish(z.array(text)), null) }),
});

const modelTotal = z.object({
  inputTokens: tokens,
  outputTokens: tokens,
  cacheReadInputTokens: tokens,
  cacheCreationInputTokens: tokens,
  cacheCreationEphemeral1hInputTokens: z.nullish(tokens),
});

export const costRow = z.object({
  totalCostUSD: z.number().check(z.nonnegative()),
  modelUsage: z.catch(z.nullish(z.record(text, modelTotal)), null),
});

export const titleRow = z.object({
  summary: z.nullish(text),
  aiTitle: z.nullish(text),
  customTitle: z.nullish(text),
  title: z.nullish(text),
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

/**
 * Row types of all tested versions that purser ignores: they do not belong to a conversation, remove nothing from one,
 * and hold no data that purser reads. Any other type is counted as unknown.
 */
export const quietTypes: ReadonlySet<string> = new Set([
  "agent-color",
  "agent-name",
  "agent-setting",
  "api-request-blob",
  "api-request-resumed",
  "api-request-shape",
  "artifact-autoreact-ledger",
  "artifact-comment-monitor",
  "atis-latch",
  "attribution-snapshot",
  "bridge-session",
  "continued-in",
  "data-flow-incomplete",
  "data-flow-records",
  "derived-from",
  "dev-mods",
  "ended-by-model",
  "file-history-delta",
  "file-history-snapshot",
  "fork-context-ref",
  "frame-link",
  "history-suppression",
  "hybrid-organization",
  "isolation-latch",
  "last-prompt",
  "memory-mode",
  "mode",
  "model_changed",
  "observer-ref",
  "permission-mode",
  "pr-link",
  "queue-operation",
  "relocated",
  "repl-mode",
  "resume-head-vouch",
  "session-owner",
  "tag",
  "tools-used",
  "worktree-state",
]);
