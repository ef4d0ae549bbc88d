import { totalTokens, type TokenUsage } from "../../usage/token-counts.ts";
import type { AgentSession, AgentCall, AgentTurn } from "../agent-session.ts";
import type { AttributedSession, NamedRecord, Attribution } from "../records.ts";
import { NumberNames } from "./accounting.ts";
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

type Named = NamedRecord<CopilotRecord>;

interface NamedResponses {
  /** Responses found in the session's events. */
  readonly single: readonly Named[];
  /** Other responses, found only in the store. */
  readonly rows: readonly Named[];
  /** The remaining part of the totals that processes wrote when they ended, found in neither. */
  readonly rests: readonly Named[];
}

/**
 * The store's row and the event with the response's tool calls are both written when the response arrives.
 * Milliseconds.
 */
const sameMoment = 2000;

/**
 * Assigns responses to turns: those in the turn's events; else the store's rows within its time; else, for the only
 * turn of a process, the total that the process wrote at its end. If several turns share a total, each one's usage is
 * unknown: they get no responses, and so produce no run.
 */
function copilotAttribution(
  { records, activity: { turns } }: AgentSession<CopilotRecord>,
  { single, rows, rests }: NamedResponses,
): Attribution {
  const ids = new Map([...single, ...rows].map(({ record, id }) => [record, id]));
  const own = new Set(single.flatMap(({ record, isCopy }) => (isCopy ? [] : [record])));
  const taken = new Set<CopilotRecord>();
  const found = turns.map((turn): CopilotRecord[] => {
    const ofTurn = turn.records.flatMap((index) => records[index] ?? []).filter((record) => own.has(record));
    if (ofTurn.length > 0) return ofTurn;
    const stored = rows.flatMap(({ record }) =>
      record.agentId === turn.agentId && isWithin(turn, record.at) && !taken.has(record) ? [record] : [],
    );
    for (const record of stored) taken.add(record);
    return stored;
  });
  let before = -Infinity;
  for (const { record } of rests) {
    const until = record.at ?? -Infinity;
    const since = before;
    const ofProcess = turns.flatMap((turn, index) => {
      const at = turn.startedAt ?? NaN;
      return turn.agentId === null && at > since && at <= until ? [index] : [];
    });
    const [only] = ofProcess;
    // A process writes one total per model, all at once.
    const same = rests.flatMap((rest) => (rest.record.at === record.at ? [rest.record] : []));
    if (only !== undefined && ofProcess.length === 1 && found[only]?.length === 0) found[only] = same;
    before = Math.max(before, until);
  }
  return {
    responsesOf: (_turn: AgentTurn, index: number) => found[index] ?? [],
    messageOf({ record: index, at }: AgentCall) {
      const record = records[index ?? -1];
      if (record !== undefined) return ids.get(record) ?? null;
      return index === null ? nearest(rows, at) : null;
    },
  };
}

function isWithin({ startedAt, endedAt }: AgentTurn, at: number | null): boolean {
  if (at === null || startedAt === null || endedAt === null) return false;
  return at >= startedAt && at <= endedAt + sameMoment;
}

function nearest(rows: readonly Named[], at: number | null): string | null {
  if (at === null) return null;
  let best: { readonly id: string; readonly off: number } | null = null;
  for (const { record, id } of rows) {
    const off = record.at === null ? Infinity : Math.abs(record.at - at);
    if (off <= sameMoment && off < (best?.off ?? Infinity)) best = { id, off };
  }
  return best?.id ?? null;
}
