import path from "node:path";
import type { HookHandler } from "../../hooks/hooks-handler.ts";
import type { SeenHeads } from "./seen-heads.ts";

/** Hooks of a session that works. At its beginning and its end a person may have checked out another branch. */
const events = ["UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop"] as const;

export interface HeadPorts {
  readonly heads: Pick<SeenHeads, "look">;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Records the working branch at each hook of a session's main agent. Adds no text. */
export function headHandler({ heads, now }: HeadPorts): HookHandler<(typeof events)[number]> {
  return {
    name: "head",
    events,
    budget: 10,
    answer: ({ session_id: session, agent_id: agentId, cwd = "" }) => {
      // A subagent may work in another worktree.
      if (agentId === undefined && path.isAbsolute(cwd)) heads.look(session, cwd, now());
      return null;
    },
  };
}
