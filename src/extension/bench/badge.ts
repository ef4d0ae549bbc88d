/** What a running benchmark adds to the status bar item. */
export interface BenchBadge {
  /** `7/24`. */
  readonly text: string;
  /** For a screen reader and the tooltip. */
  readonly spoken: string;
}
