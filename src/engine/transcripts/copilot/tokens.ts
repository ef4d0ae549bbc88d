import type { Counters } from "../../usage/cumulative.ts";
import type { TokenUsage } from "../../usage/token-usage.ts";
import type { CopilotUsage } from "./row-schema.ts";

const names = [
  "inputTokens",
  "outputTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "reasoningTokens",
] as const;

/** The numbers as they were reported. */
export function countersOf(usage: CopilotUsage): Counters {
  const counters: Record<string, number> = {};
  for (const name of names) {
    const value = usage[name];
    if (typeof value === "number") counters[name] = value;
  }
  return counters;
}

/** Copilot counts what is read from and written to the cache inside the input, and reasoning inside the output. */
export function usageOf(counters: Counters): TokenUsage {
  const all = counters["inputTokens"] ?? 0;
  const cacheRead = Math.min(all, counters["cacheReadTokens"] ?? 0);
  const cacheCreation5m = Math.min(all - cacheRead, counters["cacheWriteTokens"] ?? 0);
  return {
    input: all - cacheRead - cacheCreation5m,
    output: counters["outputTokens"] ?? 0,
    // Copilot does not say how long what is written is kept.
    cacheCreation5m,
    cacheCreation1h: 0,
    cacheRead,
  };
}
