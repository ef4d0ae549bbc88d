/** Tool calls, by the ids that the agent gives them. */
export interface AskedCalls {
  /** A call that has just ended. */
  readonly present: string;
  readonly earlier: readonly string[];
}

/**
 * Returns the earlier calls that are certainly still in the present call's context, with their results: neither taken
 * back by the user nor compacted or cleared. Returns none where that cannot be determined quickly. Never throws.
 */
export type FindCallsInContext = (transcript: string, calls: AskedCalls) => Promise<ReadonlySet<string>>;
