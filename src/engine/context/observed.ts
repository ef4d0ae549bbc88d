import type { Chain } from "./chain.ts";
import { observe, type ObservedCompaction } from "./headroom.ts";
import { windowOf, type WindowContext } from "./window.ts";

/** The automatic compactions one conversation went through, each with the window it is in. */
export function observedIn(chain: Chain, context: WindowContext): ObservedCompaction[] {
  const window = windowOf(chain, context);
  return chain.compactions.flatMap((compaction) => observe(compaction, compaction.model, window) ?? []);
}
