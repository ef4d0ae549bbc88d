import type { HookEvent } from "../../hooks/event.ts";

/**
 * Returns the context in which a call's output stays: a subagent's, or what the session's own agent has done since the user's last prompt.
 * A user may take the conversation back to an earlier prompt, which no hook reports; within one prompt nothing is taken back.
 */
export function chainOf({
  agent_id: agent,
  prompt_id: prompt = "",
}: Pick<HookEvent, "agent_id" | "prompt_id">): string {
  return agent === undefined ? `\n${prompt}` : agentChain(agent);
}

/** Whether two contexts are of the same agent. Which of its prompts they belong to, may differ. */
export function isOfSameAgent(one: string, other: string): boolean {
  return agentOfChain(one) === agentOfChain(other);
}

/** Whether a context is of the session's own agent, or of this subagent. */
export function isOfAgent(chain: string, agent: string): boolean {
  return agentOfChain(chain) === agent;
}

function agentOfChain(chain: string): string {
  return chain.split("\n", 1)[0] ?? "";
}

/** Returns what the contexts of one agent begin with. */
export function agentChain(agent: string | undefined): string {
  return agent ?? "";
}
