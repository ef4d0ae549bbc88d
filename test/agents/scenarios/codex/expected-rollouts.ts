import type { CodexExchange } from "../../stand-in/codex.ts";

/** What a reader must find in the rollouts, derived from what the stand-in sent. */
export interface CodexExpected {
  readonly sessions: readonly {
    readonly id: string;
    readonly responses: readonly {
      readonly responseId: string;
      readonly input: number;
      readonly output: number;
      readonly cacheCreation5m: number;
      readonly cacheRead: number;
    }[];
  }[];
}

export function expectCodex(exchanges: readonly CodexExchange[]): CodexExpected {
  const ids = [...new Set(exchanges.map(({ threadId }) => threadId))];
  return {
    sessions: ids.map((id) => ({
      id,
      responses: exchanges.flatMap(({ threadId, responseId, reply }) => {
        if (threadId !== id || reply.kind === "failure") return [];
        const { input, cached, cacheWrite, output } = reply.tokens;
        const fresh = input - cached - cacheWrite;
        return [{ responseId, input: fresh, output, cacheCreation5m: cacheWrite, cacheRead: cached }];
      }),
    })),
  };
}
