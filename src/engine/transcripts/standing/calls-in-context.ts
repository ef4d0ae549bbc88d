/** Calls of tools, by the ids that the agent gives them. */
export interface AskedCalls {
  /** A call that has ended just now. */
  readonly present: string;
  readonly earlier: readonly string[];
}

/**
 * Returns those earlier calls that certainly are in the context of the present one, with what they returned: neither taken
 * back by the user nor compacted or cleared. Returns none where that cannot be told quickly. Never throws.
 */
export type StandingCalls = (transcript: string, calls: AskedCalls) => Promise<ReadonlySet<string>>;
