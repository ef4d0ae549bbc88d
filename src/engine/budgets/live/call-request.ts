import type { BudgetAnswer } from "../check/check-answer.ts";

/** The agent that is about to use tokens, as reported by a hook. */
export interface HookSpender {
  readonly sessionId: string;
  /** The ledger's name for the agent: `main`, or a subagent's id. */
  readonly agentId: string;
  /** A subagent's type; null for the main agent. */
  readonly agentType: string | null;
  /** Absolute path. */
  readonly cwd: string;
}

/** The question about a call under way. */
export interface CallRequest {
  /** Whether the hook is for a person's prompt, which starts a run. */
  readonly isPrompt: boolean;
  /** What the next call carries beyond the transcript. Tokens, estimated. */
  readonly added: number;
  /** Number of calls that must fit: only the next one, or also another one to sum up. */
  readonly calls: 1 | 2;
  /** A tool use requested by the agent's last response: as long as the transcript lacks it, it lacks that response's usage too. */
  readonly toolUse: string | null;
}

export interface CallVerdict {
  /** For all requested calls together. */
  readonly answer: BudgetAnswer;
  /** Whether a single call fits. */
  readonly fitsOnce: boolean;
}
