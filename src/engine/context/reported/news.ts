/** What somebody beside the transcript told of a session: the agent's hooks, its status line. It comes at once; rows follow. */
export type SessionNews =
  | {
      readonly kind: "began";
      /** As the agent says: `startup`, `resume`, `clear`, `compact`, `fork`. */
      readonly how: string | null;
      readonly model: string | null;
      /** What the next request carries, the last answer included. Tokens; null when it does not say. */
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
      /** What the last request put into the window, tokens; null before the first, and after a compaction until the next. */
      readonly occupancy: number | null;
      readonly planLimits: readonly PlanLimit[];
    };

/** How much of a plan's limit is used, as the agent's API told it. */
export interface PlanLimit {
  /** The agent's own name of it. */
  readonly name: string;
  /** 0 to 100. */
  readonly usedPercent: number;
  /** Milliseconds since the epoch. */
  readonly resetsAt: number | null;
}

export interface ToldNews {
  readonly sessionId: string;
  /** When it was heard. Milliseconds since the epoch. */
  readonly at: number;
  /** Where the agent writes the session's transcript, which need not be there yet. Null when it does not say. */
  readonly transcript: string | null;
  readonly cwd: string | null;
  readonly news: SessionNews;
}
