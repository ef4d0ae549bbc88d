import type { AgentName } from "../transcripts/agents.ts";
import type { Chain } from "./live/chain.ts";
import type { CompactionInChain } from "./live/chain-history.ts";
import { observe, type ObservedCompaction } from "./headroom.ts";
import { contextWindow, type WindowContext } from "./window.ts";

/** Returns an automatic compaction with the model and window it happened in; none for any other, or where these are unknown. */
export function observedAs(
  agent: AgentName,
  { compaction, evidence, answeredAt }: CompactionInChain,
  context: WindowContext,
): ObservedCompaction[] {
  if (evidence === null) return [];
  const window = contextWindow({ ...evidence, ...context });
  const observed = observe(compaction, { agent, model: evidence.model, window, answeredAt });
  return observed === undefined ? [] : [observed];
}

/** Returns the automatic compactions of one conversation, each with the model and window it happened in. */
export function observedIn(agent: AgentName, chain: Chain, context: WindowContext): ObservedCompaction[] {
  return chain.compactions.flatMap((each) => observedAs(agent, each, context));
}
