/** What a running job adds to the status bar item. */
export interface BenchBadge {
  /** An icon of the editor's own. */
  readonly icon: string;
  /** `7/24`. */
  readonly text: string;
  /** For a screen reader and the tooltip. */
  readonly spoken: string;
  /** The command that leads to it, and its argument. */
  readonly command: string;
  readonly target: string;
}
