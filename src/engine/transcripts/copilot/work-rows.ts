import * as z from "zod/mini";
import { optionalFlag, optionalText, optionalTokens } from "../row-values.ts";

/**
 * Schemas for the events about turns and tools in a Copilot CLI session, as far as purser reads them. Only what
 * identifies an event is required. Source: `nodejs/src/generated/session-events.ts` of github/copilot-sdk.
 */

const maybe = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.nullish(schema), null);

/** Before events had an `agentId`, those of a subagent named the call that started it. */
export const anyData = z.looseObject({ parentToolCallId: optionalText });

export const userMessage = z.looseObject({ content: optionalText, delivery: optionalText });

export const assistantMessage = z.looseObject({
  content: optionalText,
  apiCallId: optionalText,
  toolRequests: maybe(z.array(z.unknown())),
});

export const toolRequest = z.looseObject({
  toolCallId: z.string().check(z.minLength(1)),
  name: z.string(),
  arguments: z.optional(z.unknown()),
  mcpServerName: optionalText,
});

export const toolStart = z.looseObject({
  toolCallId: z.string().check(z.minLength(1)),
  toolName: z.string(),
  arguments: z.optional(z.unknown()),
  mcpServerName: optionalText,
});

export const toolComplete = z.looseObject({
  toolCallId: z.string().check(z.minLength(1)),
  success: optionalFlag,
  /** `content` is what the model receives. */
  result: maybe(z.looseObject({ content: z.unknown() })),
  error: maybe(z.looseObject({ message: optionalText })),
  toolTelemetry: maybe(
    z.looseObject({
      metrics: maybe(
        z.looseObject({
          /** The window, and the agent's own estimate of what is in it. */
          context_token_limit: optionalTokens,
          context_current_tokens: optionalTokens,
        }),
      ),
    }),
  ),
});

export const userTool = z.looseObject({ toolCallId: z.string().check(z.minLength(1)) });

export const subagentEvent = z.looseObject({
  toolCallId: optionalText,
  agentName: optionalText,
  /** What the subagent was asked to do, in a few words. */
  agentDescription: optionalText,
});

/** `currentTokens` is what the agent compared with its threshold: the last call's input and output, and what came since. */
export const compactionStart = z.looseObject({
  currentTokens: optionalTokens,
  trigger: optionalText,
  compactionAttemptId: optionalText,
});

export const compactionComplete = z.looseObject({
  success: optionalFlag,
  summaryContent: optionalText,
  preCompactionTokens: optionalTokens,
  postCompactionTokens: optionalTokens,
  trigger: optionalText,
  compactionAttemptId: optionalText,
});
