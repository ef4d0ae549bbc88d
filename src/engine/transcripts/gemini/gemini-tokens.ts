import { pickCounters, type Counters } from "../../usage/api-response.ts";
import { usageOfWholeInput, type TokenUsage } from "../../usage/token-counts.ts";
import type { GeminiTokens } from "./gemini-row-schema.ts";

const names = ["input", "output", "cached", "thoughts", "tool", "total"] as const;

/** The counters as they were reported. */
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
