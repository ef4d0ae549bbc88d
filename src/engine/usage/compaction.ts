/** A compaction as its `compact_boundary` row tells it. Tokens. */
export interface Compaction {
  readonly trigger: "auto" | "manual" | "unknown";
  /** Occupancy when it began, or null when the row does not say. */
  readonly preTokens: number | null;
  /** Occupancy after it, or null when the row does not say. */
  readonly postTokens: number | null;
  /** Milliseconds since the epoch, or null. */
  readonly at: number | null;
}
