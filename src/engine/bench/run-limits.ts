/** Limits at which a run of the agent is stopped. */
export interface RunLimits {
  /** Milliseconds. */
  readonly time: number;
  readonly turns: number;
  /** Processing tokens. */
  readonly tokens: number;
}
