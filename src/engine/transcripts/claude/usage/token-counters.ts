import type { TokenUsage } from "../../../usage/token-counts.ts";
import type { UsageRow } from "../claude-row-schema.ts";

/**
 * Reads token counts. A cache write's total is authoritative; its breakdown by lifetime is newer, and may be missing or
 * disagree: then the rest counts as five-minute writes.
 */
export function readUsage(usage: UsageRow): TokenUsage {
  const short = usage.cache_creation?.ephemeral_5m_input_tokens ?? 0;
  const long = usage.cache_creation?.ephemeral_1h_input_tokens ?? 0;
  const written = usage.cache_creation_input_tokens ?? short + long;
  const cacheCreation1h = Math.min(long, written);
  return {
    input: usage.input_tokens ?? 0,
    output: usage.output_tokens ?? 0,
    cacheCreation5m: written - cacheCreation1h,
    cacheCreation1h,
    cacheRead: usage.cache_read_input_tokens ?? 0,
  };
}
