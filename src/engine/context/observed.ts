import type { Chain } from "./sessions/chain.ts";
import { observe, type ObservedCompaction } from "./headroom.ts";
import { contextWindow, type WindowContext } from "./window.ts";

/** Returns the automatic compactions of one conversation, each with the model and window it happened in. */
export function observedIn(chain: Chain, context: WindowContext): ObservedCompaction[] {
  return chain.compactions.flatMap(({ compaction, evidence }) => {
    if (evidence === null) return [];
    return observe(compaction, evidence.model, contextWindow({ ...evidence, ...context })) ?? [];
  });
}
