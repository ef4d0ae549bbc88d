/** A compaction, read from its `compact_boundary` row. Tokens. */
export interface Compaction {
  readonly trigger: "auto" | "manual" | "unknown";
  /** Occupancy at its start, or null if the row has none. */
  readonly preTokens: number | null;
  /** Occupancy after it, or null if the row has none. */
  readonly postTokens: number | null;
  /** Milliseconds since the epoch, or null. */
  readonly at: number | null;
  /**
   * True if the agent reported that it did not wait for a full window: while idle, or with a summary made in advance.
   */
  readonly isEarly?: boolean;
}
