import { unsetAgentSettings } from "../../transcripts/live-reader.ts";
import { type NextCallTokens, nextCallTokens, firstCallTokens, windowOf } from "../../sessions/advice.ts";
import type { SessionAccount } from "../../sessions/live.ts";
import { builtInCatalogue, type Catalogue } from "../../usage/catalogue.ts";
import { exact } from "../amounts.ts";
import type { FreshAmounts } from "../spending/tally.ts";
import type { SessionTotals } from "../spending/session-totals.ts";

/** Usage of one agent in its live transcript that the ledger has not reported yet. */
export interface FreshTokens {
  readonly agentId: string;
  readonly used: FreshAmounts;
  /** The part since the last prompt. */
  readonly ofRun: FreshAmounts;
}

/**
 * Returns what a session's agents used since the ledger's last report, limited to today. A ledger is some
 * seconds late, and an agent makes calls in between.
 * @param totals the ledger's last report of the session
 * @param since the first moment of the local day, and of the current run if known. Milliseconds since the
 * epoch
 */
export function freshTokens(
  account: SessionAccount,
  totals: SessionTotals | undefined,
  since: { readonly today: number; readonly run: number | null },
  catalogue: Catalogue,
): FreshTokens[] {
  const lastOf = new Map<string, number>();
  for (const { agentId, at } of totals?.agents ?? [])
    if (at !== null) lastOf.set(agentId, Math.max(at, lastOf.get(agentId) ?? at));
  // Start times are inclusive, `processedAfter` is exclusive: hence one millisecond less.
  const from = (agentId: string) => Math.max(lastOf.get(agentId) ?? -Infinity, since.today - 1);
  const agents = [
    { agentId: "main", responses: account.ofMain },
    ...[...account.subagents.values()].map(({ id, responses }) => ({ agentId: id, responses })),
  ];
  return agents
    .map(({ agentId, responses }) => {
      const after = from(agentId);
      const inRun = since.run === null ? after : Math.max(after, since.run - 1);
      const usedAfter = (at: number) => {
        const { usd, unpriced } = responses.pricedAfter(at, catalogue);
        return { tokens: responses.processedAfter(at), usd: exact(usd), unpriced };
      };
      const used = usedAfter(after);
      return { agentId, used, ofRun: inRun === after ? used : usedAfter(inRun) };
    })
    .filter(({ used }) => used.tokens > 0 || used.usd > 0);
}

/** Projects what an agent's next call will process; null if unknown. @param now milliseconds since the epoch */
export function projectedCall(
  {
    account,
    agentId,
    others,
  }: {
    readonly account: SessionAccount | undefined;
    readonly agentId: string;
    /** Chains of other sessions in the same folder, which started with the same context. */
    readonly others: () => Iterable<SessionAccount["main"]>;
  },
  asked: { readonly added: number; readonly now: number },
): NextCallTokens | null {
  const chain = agentId === "main" ? account?.main : account?.subagents.get(agentId)?.chain;
  const next = chain === undefined ? null : nextCallTokens(chain, asked);
  // A subagent has its own instructions: others' first calls do not predict its first.
  return next ?? (agentId === "main" ? firstCallTokens(others(), asked.added) : null);
}

/** Maximum window of any model. Tokens. */
const maxWindow = 2_000_000;

/**
 * Returns an upper bound of what a response in this conversation processes: its whole window, as far as
 * known. Tokens.
 */
export function largestResponse(account: SessionAccount, agentId: string): number {
  const chain = agentId === "main" ? account.main : account.subagents.get(agentId)?.chain;
  if (chain === undefined) return maxWindow;
  return windowOf(chain, { config: unsetAgentSettings, catalogue: builtInCatalogue }).value ?? maxWindow;
}
