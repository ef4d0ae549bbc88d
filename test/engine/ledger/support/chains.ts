import type { Chain, TimedResponse } from "../../../../src/engine/ledger/questions/session-history.ts";
import { noUsage, type TokenUsage } from "../../../../src/engine/usage/token-counts.ts";

const minute = 60_000;

/** A response: its usage, and the minutes since the previous one. */
export interface Step extends Partial<TokenUsage> {
  readonly after?: number;
  readonly model?: string;
}

/** Responses of a main conversation, `m0`, `m1`, …, a minute apart by default. */
export function chainOf(steps: readonly Step[], over: Partial<Chain> = {}): Chain {
  let at = 0;
  const responses = steps.map(({ after = 1, model = "claude-opus-4-5", ...usage }, index): TimedResponse => {
    at += after * minute;
    return {
      messageId: `m${index}`,
      requestId: null,
      sessionId: "s",
      agentId: null,
      model,
      at,
      cwd: null,
      branch: null,
      isSidechain: false,
      raw: null,
      usage: { ...noUsage, ...usage },
    };
  });
  return {
    sessionId: "s",
    agentId: null,
    responses,
    compactions: [],
    prompts: [0],
    callers: new Set<string>(),
    ...over,
  };
}

/** The time that many minutes into a conversation. */
export function minutes(count: number): number {
  return count * minute;
}
