import type { BudgetAnswer } from "../check/answer.ts";

/** Who is about to use tokens, as a hook tells. */
export interface HookSpender {
  readonly sessionId: string;
  /** As the ledger calls them: `main`, or a subagent's id. */
  readonly agentId: string;
  /** A subagent's type; null of the main agent. */
  readonly agentType: string | null;
  /** Absolute. */
  readonly cwd: string;
}

/** What is asked of a call under way. */
export interface CallAsked {
  /** Whether a person has asked something: a run begins. */
  readonly isPrompt: boolean;
  /** What the next call carries that no transcript tells yet. Tokens, estimated. */
  readonly added: number;
  /** How many calls are to fit: the next one, or another one to sum up as well. */
  readonly calls: 1 | 2;
  /** A use of a tool that the agent's last response asked for: until the transcript has it, it has not what that response used. */
  readonly toolUse: string | null;
}

export interface CallChecked {
  /** Of all the calls that were asked about. */
  readonly answer: BudgetAnswer;
  /** Whether one of them fits. */
  readonly fitsOnce: boolean;
}
