import * as z from "zod/mini";
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
  id: z.string().check(z.minLength(1)),
  type: optionalText,
  timestamp: optionalTime,
  model: optionalText,
  tokens: z.nullish(tokenCounts),
});

/** The form of the first line, of every `$set`, and of a whole `.json`. */
const header = z.looseObject({
  sessionId: optionalText,
  kind: optionalText,
  directories: z.catch(z.nullish(z.array(z.string())), null),
  summary: optionalText,
  lastUpdated: optionalTime,
  messages: z.catch(z.nullish(z.array(z.unknown())), null),
});

export const setRow = z.looseObject({ $set: header });
export const rewindRow = z.looseObject({ $rewindTo: z.string() });
/** A standalone header: a row without an id is not of this format. */
export const headerRow = z.extend(header, { sessionId: z.string() });
export const anyObject = z.looseObject({ type: optionalText });

export type GeminiMessage = z.infer<typeof message>;
export type GeminiHeader = z.infer<typeof header>;
export type GeminiTokens = z.infer<typeof tokenCounts>;
