/** State shared by the readers of one session's files. */
export class SessionState {
  /** Time of the first usage record in the session's events. Milliseconds since the epoch; null before any. */
  firstUsageAt: number | null = null;
  hasUsage = false;
  /** The folder the session works in. */
  cwd: string | null = null;

  /** Clears the facts from the events before they are read again. */
  reset(): void {
    this.firstUsageAt = null;
    this.hasUsage = false;
    this.cwd = null;
  }
}
