import type { AgentName } from "../transcripts/agents.ts";
import type { Chain } from "./sessions/chain.ts";
import { observe, type ObservedCompaction } from "./headroom.ts";
import { contextWindow, type WindowContext } from "./window.ts";

/** Returns the automatic compactions of one conversation, each with the model and window it happened in. */
export function observedIn(agent: AgentName, chain: Chain, context: WindowContext): ObservedCompaction[] {
  return chain.compactions.flatMap(({ compaction, evidence }) => {
    if (evidence === null) return [];
    const window = contextWindow({ ...evidence, ...context });
    return observe(compaction, { agent, model: evidence.model, window }) ?? [];
  });
}
