/** What ends a run of the agent that does not end by itself. */
export interface RunLimits {
  /** Milliseconds. */
  readonly time: number;
  readonly turns: number;
  /** Processing tokens. */
  readonly tokens: number;
}
