import type { EventNamed } from "../../hooks/event.ts";
import type { HookHandler } from "../../hooks/hooks-handler.ts";

export interface ScorecardPorts {
  /** Stores what a session came to, once the ledger has all of it. */
  readonly store: (session: string, folder: string | null) => Promise<void>;
  /** Runs something a moment later: an agent may write the end of its transcript after its hook. */
  readonly afterEnd: (run: () => void) => void;
  readonly onProblem: (message: string) => void;
}

/** Stores a session's scorecard at its end. Adds no text, and no hook waits for it. */
export function scorecardHandler({ store, afterEnd, onProblem }: ScorecardPorts): HookHandler<"SessionEnd"> {
  const answer = (event: EventNamed<"SessionEnd">): null => {
    const { session_id: session, agent_id: agentId, cwd = null } = event;
    if (agentId === undefined)
      afterEnd(() => {
        store(session, cwd).catch((error: unknown) =>
          onProblem(`What a session came to is not kept: ${String(error)}`),
        );
      });
    return null;
  };
  return { name: "scorecard", events: ["SessionEnd"], budget: 20, answer };
}
