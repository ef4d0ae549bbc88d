/** What the readers of one session's files tell each other. */
export class SessionState {
  /** Time of the first usage record in the session's events. Milliseconds since the epoch; null before any. */
  firstUsageAt: number | null = null;
  hasUsage = false;
  /** The folder the session works in. */
  cwd: string | null = null;

  /** Forgets what the events said: they are read anew. */
  reset(): void {
    this.firstUsageAt = null;
    this.hasUsage = false;
    this.cwd = null;
  }
}
