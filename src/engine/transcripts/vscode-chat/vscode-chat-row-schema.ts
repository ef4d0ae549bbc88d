import * as z from "zod/mini";
import { epochTime, optionalFlag, optionalText, optionalTokens, tokens } from "../row-values.ts";
import { listOf, objectOf, scalar } from "./kept-value.ts";

/**
 * The state of a chat, as far as purser reads it. Texts of answers, tools and results are skipped. Sources:
 * `chatSessionOperationLog.ts` and `chatModel.ts` of VS Code 1.139; older versions have `result.usage` or `result.metadata` instead.
 */
export const chatShape = objectOf({
  creationDate: scalar,
  customTitle: scalar,
  inputState: objectOf({
    selectedModel: objectOf({
      identifier: scalar,
      metadata: objectOf({ maxInputTokens: scalar, maxOutputTokens: scalar, maxContextWindowTokens: scalar }),
    }),
  }),
  requests: listOf(
    objectOf({
      requestId: scalar,
      timestamp: scalar,
      modelId: scalar,
      isSystemInitiated: scalar,
      promptTokens: scalar,
      completionTokens: scalar,
      modelConfiguration: objectOf({ contextSize: scalar }),
      message: objectOf({ text: scalar }),
      slashCommand: objectOf({ name: scalar }),
      modelState: objectOf({ value: scalar, completedAt: scalar }),
      response: listOf(objectOf({ kind: scalar })),
      result: objectOf({
        errorDetails: objectOf({ message: scalar }),
        usage: objectOf({ promptTokens: scalar, completionTokens: scalar }),
        metadata: objectOf({
          promptTokens: scalar,
          outputTokens: scalar,
          summary: objectOf({ toolCallRoundId: scalar }),
          summaries: listOf(objectOf({ toolCallRoundId: scalar })),
        }),
      }),
    }),
  ),
});

const time = z.catch(z.nullish(epochTime), null);

export const chatHead = z.object({
  creationDate: time,
  customTitle: optionalText,
  inputState: z.catch(
    z.nullish(
      z.object({
        selectedModel: z.object({
          identifier: z.string().check(z.minLength(1)),
          metadata: z.object({
            maxInputTokens: tokens.check(z.minimum(1)),
            maxOutputTokens: optionalTokens,
            maxContextWindowTokens: optionalTokens,
          }),
        }),
      }),
    ),
    null,
  ),
});

export const chatRequest = z.object({
  requestId: z.string().check(z.minLength(1)),
  timestamp: time,
  modelId: optionalText,
  isSystemInitiated: optionalFlag,
  promptTokens: optionalTokens,
  completionTokens: optionalTokens,
  modelConfiguration: z.catch(z.nullish(z.object({ contextSize: optionalTokens })), null),
  message: z.catch(z.nullish(z.object({ text: optionalText })), null),
  slashCommand: z.catch(z.nullish(z.object({ name: optionalText })), null),
  modelState: z.catch(
    z.nullish(z.object({ value: z.catch(z.nullish(z.int()), null), completedAt: time })),
    null,
  ),
  response: z.catch(z.nullish(z.array(z.catch(z.nullable(z.object({ kind: optionalText })), null))), null),
  result: z.catch(
    z.nullish(
      z.object({
        errorDetails: z.catch(z.nullish(z.object({})), null),
        usage: z.catch(
          z.nullish(z.object({ promptTokens: optionalTokens, completionTokens: optionalTokens })),
          null,
        ),
        metadata: z.catch(
          z.nullish(
            z.object({
              promptTokens: optionalTokens,
              outputTokens: optionalTokens,
              summary: z.catch(z.nullish(z.object({})), null),
              summaries: z.catch(z.nullish(z.array(z.unknown())), null),
            }),
          ),
          null,
        ),
      }),
    ),
    null,
  ),
});

export type ChatHead = z.infer<typeof chatHead>;
export type ChatRow = z.infer<typeof chatRequest>;
