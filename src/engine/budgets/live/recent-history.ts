import type { RunHistory } from "../projection.ts";
import { TtlCache } from "../../base/timing.ts";

/** An agent's usage changes slowly. Milliseconds. */
const historyCacheTtl = 60_000;

/** Caches run history for a minute, by agent and model. */
export function recentHistory(ask: RunHistory["recentTokens"]): RunHistory {
  const known = new TtlCache(
    (key) => {
      const [agentId = "", model = null] = key.split("\n");
      return ask({ agentId, model });
    },
    { trust: historyCacheTtl, now: () => performance.now() },
  );
  return {
    recentTokens: ({ agentId, model }) => known.get(model === null ? agentId : `${agentId}\n${model}`),
  };
}
