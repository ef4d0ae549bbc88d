/** Session event reported by the agent's hooks or status line. It arrives at once; transcript rows follow later. */
export type SessionEvent =
  | {
      readonly kind: "began";
      /** The agent's own word: `startup`, `resume`, `clear`, `compact`, `fork`. */
      readonly how: string | null;
      readonly model: string | null;
      /** Tokens the next request carries, the last answer included; null when not reported. */
      readonly carried: number | null;
    }
  | { readonly kind: "prompted" }
  | { readonly kind: "switched"; readonly model: string | null; readonly carried: number | null }
  | { readonly kind: "compacting" }
  | { readonly kind: "compacted" }
  | {
      readonly kind: "subagent-began" | "subagent-ended";
      readonly agentId: string;
      readonly type: string | null;
    }
  | { readonly kind: "stopped"; readonly message: string | null }
  | { readonly kind: "failed"; readonly error: string | null; readonly message: string | null }
  | { readonly kind: "ended" }
  | {
      /** The agent's own figures. */
      readonly kind: "measured";
      readonly model: string | null;
      /** Tokens. */
      readonly window: number | null;
      /** Tokens the last request put into the window; null before the first, and after a compaction until the next. */
      readonly occupancy: number | null;
      /** Where the agent tells them, in words. */
      readonly source: string;
      readonly planLimits: readonly PlanLimit[];
    };

/** Used share of a plan's limit, as reported by the agent's API. */
export interface PlanLimit {
  /** The agent's own name for it. */
  readonly name: string;
  /** 0 to 100. */
  readonly usedPercent: number;
  /** Milliseconds since the epoch. */
  readonly resetsAt: number | null;
}

export interface SessionReport {
  readonly sessionId: string;
  /** Time of receipt. Milliseconds since the epoch. */
  readonly at: number;
  /** Path of the session's transcript, which may not exist yet. Null when not reported. */
  readonly transcript: string | null;
  readonly cwd: string | null;
  readonly event: SessionEvent;
}
