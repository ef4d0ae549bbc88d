/** Tokens that Codex always counts as used: its instructions and tools. */
const baseline = 12_000;

/**
 * The percent of the context that is left, as Codex itself shows it: relative to the window less a baseline, which the
 * user could not spend anyway. `used` is `last_token_usage.total_tokens`. Source:
 * `TokenUsage::percent_of_context_window_remaining` in codex-rs/protocol/src/protocol.rs.
 */
export function codexContextLeft({ window, used }: { window: number; used: number }): number {
  if (window <= baseline) return 0;
  const spendable = window - baseline;
  const left = spendable - Math.max(0, used - baseline);
  return Math.min(100, Math.max(0, Math.round((100 * left) / spendable)));
}
