import type { Counters } from "../../usage/cumulative.ts";
import type { TokenUsage } from "../../usage/token-usage.ts";
import type { GeminiTokens } from "./row-schema.ts";

const names = ["input", "output", "cached", "thoughts", "tool", "total"] as const;

/** The numbers as they were reported. */
export function countersOf(tokens: GeminiTokens): Counters {
  const counters: Record<string, number> = {};
  for (const name of names) {
    const value = tokens[name];
    if (typeof value === "number") counters[name] = value;
  }
  return counters;
}

/** The cached part is inside the input; thoughts are output, what tools put into the prompt is input. */
export function usageOf(counters: Counters): TokenUsage {
  const { input = 0, output = 0, cached = 0, thoughts = 0, tool = 0 } = counters;
  const cacheRead = Math.min(input, cached);
  return {
    input: input - cacheRead + tool,
    output: output + thoughts,
    cacheCreation5m: 0,
    cacheCreation1h: 0,
    cacheRead,
  };
}
