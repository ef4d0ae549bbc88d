import * as z from "zod";
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

const time = epochTime.nullish().catch(null);

export const chatHead = z.object({
  creationDate: time,
  customTitle: optionalText,
  inputState: z
    .object({
      selectedModel: z.object({
        identifier: z.string().min(1),
        metadata: z.object({
          maxInputTokens: tokens.min(1),
          maxOutputTokens: optionalTokens,
          maxContextWindowTokens: optionalTokens,
        }),
      }),
    })
    .nullish()
    .catch(null),
});

export const chatRequest = z.object({
  requestId: z.string().min(1),
  timestamp: time,
  modelId: optionalText,
  isSystemInitiated: optionalFlag,
  promptTokens: optionalTokens,
  completionTokens: optionalTokens,
  modelConfiguration: z.object({ contextSize: optionalTokens }).nullish().catch(null),
  message: z.object({ text: optionalText }).nullish().catch(null),
  slashCommand: z.object({ name: optionalText }).nullish().catch(null),
  modelState: z
    .object({ value: z.int().nullish().catch(null), completedAt: time })
    .nullish()
    .catch(null),
  response: z
    .array(z.object({ kind: optionalText }).nullable().catch(null))
    .nullish()
    .catch(null),
  result: z
    .object({
      errorDetails: z.object({}).nullish().catch(null),
      usage: z
        .object({ promptTokens: optionalTokens, completionTokens: optionalTokens })
        .nullish()
        .catch(null),
      metadata: z
        .object({
          promptTokens: optionalTokens,
          outputTokens: optionalTokens,
          summary: z.object({}).nullish().catch(null),
          summaries: z.array(z.unknown()).nullish().catch(null),
        })
        .nullish()
        .catch(null),
    })
    .nullish()
    .catch(null),
});

export type ChatHead = z.infer<typeof chatHead>;
export type ChatRow = z.infer<typeof chatRequest>;
