import type { AgentConfig } from "../../context/agent-config.ts";
import { firstCallTokens, nextCallTokens, type NextCallTokens } from "../../context/next-call-tokens.ts";
import type { SessionAccount } from "../../context/sessions/account.ts";
import { windowOf } from "../../context/window.ts";
import { builtInCatalogue } from "../../usage/catalogue.ts";
import type { SessionTotals } from "../spending/session-totals.ts";

/** Tokens of one agent that its live transcript tells and the ledger has not told yet. */
export interface FreshTokens {
  readonly agentId: string;
  readonly tokens: number;
  /** Of these, since the last prompt. */
  readonly ofRun: number;
}

/**
 * What a session's agents used since the ledger told of them last: today, that is. A ledger is some seconds late, and an agent makes calls
 * meanwhile.
 *
 * @param told what the ledger told of the session last
 * @param since the first moment of the local day, and of the present run where that is known. Milliseconds since the epoch
 */
export function freshTokens(
  account: SessionAccount,
  told: SessionTotals | undefined,
  since: { readonly today: number; readonly run: number | null },
): FreshTokens[] {
  const lastOf = new Map<string, number>();
  for (const { agentId, at } of told?.agents ?? [])
    if (at !== null) lastOf.set(agentId, Math.max(at, lastOf.get(agentId) ?? at));
  // Times are whole days here and whole milliseconds there: the first of a day is after the moment before it.
  const from = (agentId: string) => Math.max(lastOf.get(agentId) ?? -Infinity, since.today - 1);
  const agents = [
    { agentId: "main", responses: account.ofMain },
    ...[...account.subagents.values()].map(({ id, responses }) => ({ agentId: id, responses })),
  ];
  return agents
    .map(({ agentId, responses }) => {
      const after = from(agentId);
      const inRun = since.run === null ? after : Math.max(after, since.run - 1);
      return { agentId, tokens: responses.processedAfter(after), ofRun: responses.processedAfter(inRun) };
    })
    .filter(({ tokens }) => tokens > 0);
}

/** What an agent's next call will process; null where nothing is known of it. @param now milliseconds since the epoch */
export function projectedCall(
  {
    account,
    agentId,
    others,
  }: {
    readonly account: SessionAccount | undefined;
    readonly agentId: string;
    /** Chains of other sessions in the same place, which began alike. */
    readonly others: () => Iterable<SessionAccount["main"]>;
  },
  asked: { readonly added: number; readonly now: number },
): NextCallTokens | null {
  const chain = agentId === "main" ? account?.main : account?.subagents.get(agentId)?.chain;
  const next = chain === undefined ? null : nextCallTokens(chain, asked);
  // A subagent's instructions are its own: others' first calls say nothing of its.
  return next ?? (agentId === "main" ? firstCallTokens(others(), asked.added) : null);
}

/** What the agent's own settings say of windows is not asked here. */
const noConfig: AgentConfig = {
  autoCompact: true,
  autoCompactWindow: null,
  compactPercent: null,
  longContextOff: false,
  model: null,
  maxContextTokens: null,
  maxOutputTokens: null,
};
/** No model's window is larger. Tokens. */
const largestWindow = 2_000_000;

/** No response of this conversation processes more: all of its window, as far as it is known. Tokens. */
export function largestResponse(account: SessionAccount, agentId: string): number {
  const chain = agentId === "main" ? account.main : account.subagents.get(agentId)?.chain;
  if (chain === undefined) return largestWindow;
  return windowOf(chain, { config: noConfig, catalogue: builtInCatalogue }).value ?? largestWindow;
}
