import type { Counters } from "../../usage/cumulative.ts";
import type { TokenUsage } from "../../usage/token-usage.ts";
import type { CodexUsage } from "./row-schema.ts";

/** The counters that are summed. `total_tokens` is not one: Codex fills it up to the window when the context is full. */
export function countersOf(usage: CodexUsage): Counters {
  const counters: Record<string, number> = {
    input_tokens: usage.input_tokens,
    output_tokens: usage.output_tokens,
  };
  const { cached_input_tokens, cache_write_input_tokens, reasoning_output_tokens } = usage;
  const optional = { cached_input_tokens, cache_write_input_tokens, reasoning_output_tokens };
  for (const [name, value] of Object.entries(optional)) if (typeof value === "number") counters[name] = value;
  return counters;
}

/** The numbers as they were reported. */
export function rawOf(usage: CodexUsage): Counters {
  const total = usage.total_tokens;
  return typeof total === "number" ? { ...countersOf(usage), total_tokens: total } : countersOf(usage);
}

/** Codex counts what is read from and written to the cache inside the input, and reasoning inside the output. */
export function usageOf(counters: Counters): TokenUsage {
  const all = counters["input_tokens"] ?? 0;
  const cacheRead = Math.min(all, counters["cached_input_tokens"] ?? 0);
  const cacheCreation5m = Math.min(all - cacheRead, counters["cache_write_input_tokens"] ?? 0);
  return {
    input: all - cacheRead - cacheCreation5m,
    output: counters["output_tokens"] ?? 0,
    // The API does not say how long it keeps what is written.
    cacheCreation5m,
    cacheCreation1h: 0,
    cacheRead,
  };
}
