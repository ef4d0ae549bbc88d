import { pickCounters, type Counters } from "../../usage/api-response.ts";
import { usageOfWholeInput, type TokenUsage } from "../../usage/token-counts.ts";
import type { CopilotUsage } from "./copilot-row-schema.ts";

const names = [
  "inputTokens",
  "outputTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "reasoningTokens",
] as const;

/** The counters as they were reported. */
export function countersOf(usage: CopilotUsage): Counters {
  return pickCounters(usage, names);
}

/** Reasoning is inside the output. */
export function usageOf(counters: Counters): TokenUsage {
  return usageOfWholeInput({
    input: counters["inputTokens"] ?? 0,
    output: counters["outputTokens"] ?? 0,
    cacheRead: counters["cacheReadTokens"] ?? 0,
    cacheCreation: counters["cacheWriteTokens"] ?? 0,
  });
}
