import { totalTokens, type TokenUsage } from "../../usage/token-counts.ts";
import type { AgentSession } from "../agent-session.ts";
import type { AttributedSession, NamedRecord } from "../records.ts";
import { copilotAttribution } from "./copilot-attribution.ts";
import { NumberNames } from "./number-names.ts";
import type { CopilotRecord } from "./read-events.ts";

/**
 * A session's events and the store report the same responses without a common id, and the ledger never drops a row. So
 * a response is identified by its counts and by how often its session had the same counts before: whichever source
 * reports it first, it is one response. A total covers many responses: only its excess over the store's rows up to its
 * time is new.
 */
export function attributedEvents(
  session: AgentSession<CopilotRecord>,
  stored: readonly CopilotRecord[],
): AttributedSession {
  const single = namedByNumbers(session.records.filter(({ source }) => source === "response"));
  const known = new Set(single.map(({ id }) => id));
  const rows = namedByNumbers(stored).filter(({ id }) => !known.has(id));
  let left = rows.map(({ record }) => record);
  const rests = session.records
    .filter(({ source }) => source === "total")
    .flatMap((total, index): NamedRecord<CopilotRecord>[] => {
      const isPart = ({ model, at }: CopilotRecord) =>
        (model === null || model === total.model) && (at === null || total.at === null || at <= total.at);
      const usage = left.filter(isPart).reduce((rest, row) => less(rest, row.usage), total.usage);
      left = left.filter((row) => !isPart(row));
      const id = total.key ?? `copilot ${total.sessionId} total #${index}`;
      return totalTokens(usage) === 0 ? [] : [{ record: { ...total, usage }, id, isCopy: false }];
    });
  return {
    session,
    records: [...single, ...rests],
    attribution: copilotAttribution(session, { single, rows, rests }),
  };
}

/** Names records by their session and numbers: they have no id of their own. */
export function namedByNumbers(records: readonly CopilotRecord[]): NamedRecord<CopilotRecord>[] {
  const names = new NumberNames();
  return records.map((record) => ({
    record,
    id: names.next(record.usedBy, record.usage),
    isCopy: record.isReplay,
    agentId: record.agentId,
  }));
}

function less(usage: TokenUsage, part: TokenUsage): TokenUsage {
  const rest = (kind: keyof TokenUsage) => Math.max(0, usage[kind] - part[kind]);
  return {
    input: rest("input"),
    output: rest("output"),
    cacheCreation5m: rest("cacheCreation5m"),
    cacheCreation1h: rest("cacheCreation1h"),
    cacheRead: rest("cacheRead"),
  };
}
