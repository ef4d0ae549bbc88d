import type { HookEvent } from "../../hooks/event/event.ts";

/**
 * Returns the context in which a call's output stays: a subagent's, or what the session's own agent has done since the user's last prompt.
 * A user may take the conversation back to an earlier prompt, which no hook tells of; within one prompt nothing is taken back.
 */
export function chainOf({
  agent_id: agent,
  prompt_id: prompt = "",
}: Pick<HookEvent, "agent_id" | "prompt_id">): string {
  return agent === undefined ? `\n${prompt}` : agentChain(agent);
}

/** Returns what the contexts of one agent begin with. */
export function agentChain(agent: string | undefined): string {
  return agent ?? "";
}
