import { pickCounters, type Counters } from "../../usage/api-response.ts";
import { usageOfWholeInput, type TokenUsage } from "../../usage/token-counts.ts";
import type { CodexUsage } from "./codex-row-schema.ts";

/**
 * The counters that are summed. `total_tokens` is not one: Codex raises it to the window size when the context is full.
 */
const summed = [
  "input_tokens",
  "output_tokens",
  "cached_input_tokens",
  "cache_write_input_tokens",
  "reasoning_output_tokens",
] as const;

export function countersOf(usage: CodexUsage): Counters {
  return pickCounters(usage, summed);
}

/** The counters as they were reported. */
export function rawOf(usage: CodexUsage): Counters {
  return pickCounters(usage, [...summed, "total_tokens"]);
}

/** Reasoning is inside the output. */
export function usageOf(counters: Counters): TokenUsage {
  return usageOfWholeInput({
    input: counters["input_tokens"] ?? 0,
    output: counters["output_tokens"] ?? 0,
    cacheRead: counters["cached_input_tokens"] ?? 0,
    cacheCreation: counters["cache_write_input_tokens"] ?? 0,
  });
}
