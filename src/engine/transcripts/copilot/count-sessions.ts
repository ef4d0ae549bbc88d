import { totalTokens } from "../../usage/token-counts.ts";
import { countOnce } from "../../usage/agent-record.ts";
import type { AgentSession } from "../agent-session.ts";
import type { CopilotRecord } from "./read-events.ts";

/**
 * Counts each response of the sessions once. A session's events and the store record the same responses without a
 * common id: for each session the events count, or the store's rows if those contain more tokens, as they do when
 * the process was killed before it wrote its totals.
 */
export function countCopilot(
  sessions: readonly AgentSession<CopilotRecord>[],
  store: readonly CopilotRecord[] = [],
): CopilotRecord[] {
  const stored = new Map<string, CopilotRecord[]>();
  for (const record of store) {
    const rows = stored.get(record.sessionId);
    if (rows === undefined) stored.set(record.sessionId, [record]);
    else rows.push(record);
  }
  const counted = sessions.flatMap(({ facts, records }) => {
    const rows = stored.get(facts.sessionId) ?? [];
    stored.delete(facts.sessionId);
    const { length: single } = records.filter(({ source }) => source === "response");
    const isStoreBetter =
      tokensOf(rows) > tokensOf(records) || (single === 0 && tokensOf(rows) === tokensOf(records));
    return isStoreBetter ? rows : records;
  });
  return countOnce([...counted, ...[...stored.values()].flat()]);
}

function tokensOf(records: readonly CopilotRecord[]): number {
  return records.reduce((sum, { usage }) => sum + totalTokens(usage), 0);
}
