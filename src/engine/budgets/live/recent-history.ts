import type { RunHistory } from "../projection.ts";
import { RecentValues } from "../../base/recent-values.ts";

/** How much an agent takes changes slowly. Milliseconds. */
const historyTrust = 60_000;

/** A run history that is asked for the same agent once a minute at most. */
export function recentHistory(ask: RunHistory["recentTokens"]): RunHistory {
  const known = new RecentValues(
    (key) => {
      const [agentId = "", model = null] = key.split("\n");
      return ask({ agentId, model });
    },
    { trust: historyTrust, now: () => performance.now() },
  );
  return {
    recentTokens: ({ agentId, model }) => known.of(model === null ? agentId : `${agentId}\n${model}`),
  };
}
