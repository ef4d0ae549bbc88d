import type { AgentSession } from "../../../transcripts/agent-session.ts";
import type { CopilotRecord } from "../../../transcripts/copilot/read-events.ts";
import { totalTokens, type TokenUsage } from "../../../usage/token-counts.ts";
import type { LedgerEntry } from "../../entries/entry.ts";
import { copilotAttribution } from "./attribution.ts";
import { activityEntries } from "../records/activity.ts";
import { responseEntry, sessionEntries, type NamedRecord } from "../records/entries.ts";

type SessionEntry = Extract<LedgerEntry, { kind: "session" }>;

/**
 * A session's events and the store report the same responses without a common id, and the ledger never drops a row. So
 * a response is identified by its counts and by how often its session had the same counts before: whichever source
 * reports it first, it is one response. A total covers many responses: only its excess over the store's rows up to its
 * time is new.
 */
export function copilotEntries(
  session: AgentSession<CopilotRecord>,
  stored: readonly CopilotRecord[],
): LedgerEntry[] {
  const single = namedByNumbers(session.records.filter(({ source }) => source === "response"));
  const known = new Set(single.map(({ id }) => id));
  const rows = namedByNumbers(stored).filter(({ id }) => !known.has(id));
  let left = rows.map(({ record }) => record);
  const rests = session.records
    .filter(({ source }) => source === "total")
    .flatMap((total, place): NamedRecord<CopilotRecord>[] => {
      const isPart = ({ model, at }: CopilotRecord) =>
        (model === null || model === total.model) && (at === null || total.at === null || at <= total.at);
      const usage = left.filter(isPart).reduce((rest, row) => less(rest, row.usage), total.usage);
      left = left.filter((row) => !isPart(row));
      const id = total.key ?? `copilot ${total.sessionId} total #${place}`;
      return totalTokens(usage) === 0 ? [] : [{ record: { ...total, usage }, id, isCopy: false }];
    });
  return [
    ...sessionEntries(session, [...single, ...rests]),
    ...activityEntries(session, copilotAttribution(session, { single, rows, rests })),
  ];
}

/** The entries of the store's rows, of all sessions. */
export function storeEntries(records: readonly CopilotRecord[]): LedgerEntry[] {
  const sessions = new Map<string, SessionEntry>();
  const responses = namedByNumbers(records).flatMap((named) => responseEntry(named));
  for (const { sessionId, cwd, at } of responses) {
    const firstAt = sessions.get(sessionId)?.firstAt ?? at;
    sessions.set(sessionId, { kind: "session", id: sessionId, program: "copilot", cwd, firstAt, lastAt: at });
  }
  return [...sessions.values(), ...responses];
}

function namedByNumbers(records: readonly CopilotRecord[]): NamedRecord<CopilotRecord>[] {
  const times = new Map<string, number>();
  return records.map((record) => {
    const { usedBy, usage, isReplay } = record;
    const { input, output, cacheRead, cacheCreation5m } = usage;
    const numbers = `copilot ${usedBy} ${[input, output, cacheRead, cacheCreation5m].join("/")}`;
    const before = times.get(numbers) ?? 0;
    times.set(numbers, before + 1);
    return { record, id: `${numbers} ${before}`, isCopy: isReplay, agentId: record.agentId };
  });
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
