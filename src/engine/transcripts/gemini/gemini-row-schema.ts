import * as z from "zod";
import { maybeTokens, optionalText, optionalTime } from "../row-values.ts";

/**
 * Schemas for a Gemini CLI session, as far as purser reads it: lines of a `.jsonl`, or the single object of an older
 * `.json`. Source: `chatRecordingService.ts` in the package of 0.61.0.
 */

/** `input` includes `cached`; `output`, `thoughts` and `tool` are separate from each other and from `input`. */
const tokenCounts = z.looseObject({
  input: maybeTokens,
  output: maybeTokens,
  cached: maybeTokens,
  thoughts: maybeTokens,
  tool: maybeTokens,
  total: maybeTokens,
});

export const message = z.looseObject({
  id: z.string().min(1),
  type: optionalText,
  timestamp: optionalTime,
  model: optionalText,
  tokens: tokenCounts.nullish(),
});

/** The form of the first line, of every `$set`, and of a whole `.json`. */
const header = z.looseObject({
  sessionId: optionalText,
  kind: optionalText,
  directories: z.array(z.string()).nullish().catch(null),
  summary: optionalText,
  lastUpdated: optionalTime,
  messages: z.array(z.unknown()).nullish().catch(null),
});

export const setRow = z.looseObject({ $set: header });
export const rewindRow = z.looseObject({ $rewindTo: z.string() });
/** A standalone header: a row without an id is not of this format. */
export const headerRow = header.extend({ sessionId: z.string() });
export const anyObject = z.looseObject({ type: optionalText });

export type GeminiMessage = z.infer<typeof message>;
export type GeminiHeader = z.infer<typeof header>;
export type GeminiTokens = z.infer<typeof tokenCounts>;
