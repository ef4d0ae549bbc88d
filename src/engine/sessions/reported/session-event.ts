import type { Sentence } from "../../base/text/sentence.ts";
/** Session event reported by the agent's hooks or status line. It arrives at once; transcript rows follow later. */
export type SessionEvent =
  | {
      readonly kind: "began";
      /** In the agent's own terms: `startup`, `resume`, `clear`, `compact`, `fork`. */
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
      /** Where the agent reports them, in words. */
      readonly source: Sentence;
      readonly planLimits: readonly PlanLimit[];
      /** Null when not reported. */
      readonly cache: PromptCache | null;
    };

/** The cached context, as reported by the agent. */
export interface PromptCache {
  readonly isWarm: boolean;
  /** Cached for an hour, not for five minutes. */
  readonly isLong: boolean;
  /** Milliseconds since the epoch; null when not reported. */
  readonly expiresAt: number | null;
  /** Tokens that the next call writes again if the cache is cold. */
  readonly tokens: number;
}

/** Used share of a plan's limit, as reported by the agent's API. */
export interface PlanLimit {
  /** The agent's own name for it. */
  readonly name: string;
  /** From 0 up; more than 100 where a limit can be passed. */
  readonly usedPercent: number;
  /** Milliseconds since the epoch. */
  readonly resetsAt: number | null;
  /** Set only for a spending limit. */
  readonly usedUsd: number | null;
  readonly limitUsd: number | null;
  /** The agent's own name for the period. */
  readonly period: string | null;
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
