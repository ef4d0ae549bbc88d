import * as z from "zod/mini";
import { maybeTokens, optionalText, optionalTime } from "../row-values.ts";
import { pickCounters, type Counters } from "../../usage/api-response.ts";
import { usageOfWholeInput, type TokenUsage } from "../../usage/token-counts.ts";

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

const setRow = z.looseObject({ $set: header });
const rewindRow = z.looseObject({ $rewindTo: z.string() });
/** A standalone header: a row without an id is not of this format. */
const headerRow = z.extend(header, { sessionId: z.string() });
const anyObject = z.looseObject({ type: optionalText });

export type GeminiMessage = z.infer<typeof message>;
export type GeminiHeader = z.infer<typeof header>;
export type GeminiTokens = z.infer<typeof tokenCounts>;

export type ChatRow =
  | { readonly kind: "message"; readonly message: GeminiMessage }
  /** `isUpdate` for members that replace those in the header. */
  | { readonly kind: "header"; readonly header: GeminiHeader; readonly isUpdate: boolean }
  /** This message and all later ones are taken back. */
  | { readonly kind: "rewind"; readonly to: string }
  | { readonly kind: "unknown"; readonly type: string }
  | { readonly kind: "malformed" };

export function chatRow(row: unknown): ChatRow {
  const read = message.safeParse(row);
  if (read.success) return { kind: "message", message: read.data };
  const set = setRow.safeParse(row);
  if (set.success) return { kind: "header", header: set.data.$set, isUpdate: true };
  const head = headerRow.safeParse(row);
  if (head.success) return { kind: "header", header: head.data, isUpdate: false };
  const rewind = rewindRow.safeParse(row);
  if (rewind.success) return { kind: "rewind", to: rewind.data.$rewindTo };
  const type = anyObject.safeParse(row).data?.type;
  return typeof type === "string" && type !== "gemini" ? { kind: "unknown", type } : { kind: "malformed" };
}

const names = ["input", "output", "cached", "thoughts", "tool", "total"] as const;

export function countersOf(tokens: GeminiTokens): Counters {
  return pickCounters(tokens, names);
}

/** The cached part is included in the input; thoughts count as output, tool prompts as input. */
export function usageOf(counters: Counters): TokenUsage {
  const { input = 0, output = 0, cached = 0, thoughts = 0, tool = 0 } = counters;
  const usage = usageOfWholeInput({
    input,
    output: output + thoughts,
    cacheRead: cached,
    cacheCreation: 0,
  });
  return { ...usage, input: usage.input + tool };
}
