/** Usage records, and what they belong to. */
import type { RowObject } from "./claude/message-parts.ts";
import type { FoundFile } from "./walk-files.ts";
import type { UsageRecord } from "../usage/aggregate.ts";
import type { AgentSession, AgentCall, AgentTurn } from "./agent-session.ts";

export { startsAgain } from "./records/recovered.ts";
export type { SkippedRows } from "./scan/unit-scanner.ts";
export { ScanThreads } from "./scan/threads.ts";

/** Names in a row that no tested version of its agent writes. */
interface UnknownNames {
  /** The row's type, if it is unknown. */
  readonly type: string | null;
  readonly members: readonly string[];
}

export interface RowNames {
  /** Its files of rows, one row per line. */
  readonly files: (roots: readonly string[]) => readonly FoundFile[];
  /** @param line the row's own bytes */
  readonly unknownIn: (row: RowObject, line: Buffer) => UnknownNames;
  /** The agent's version that a row names; null where it names none. */
  readonly versionIn: (row: RowObject) => string | null;
}

/** A record and the id shared by all its copies. */
export interface NamedRecord<Item extends UsageRecord = UsageRecord> {
  readonly record: Item;
  readonly id: string;
  /** Whether it copies another session's usage. */
  readonly isCopy: boolean;
  /** The subagent within the session that made it. */
  readonly agentId?: string | null;
}

export interface Attribution {
  readonly responsesOf: (turn: AgentTurn, index: number) => readonly UsageRecord[];
  /** The id of the response that made a call; null if unknown. */
  readonly messageOf: (call: AgentCall) => string | null;
}

/** A session whose records have ids, and whose turns and calls know their responses. */
export interface AttributedSession {
  readonly session: Pick<AgentSession, "facts" | "activity">;
  readonly records: readonly NamedRecord[];
  readonly attribution: Attribution;
}

/**
 * Names records by their keys. A record without a key is named by its index in its session; a copy without a key has an
 * unknown original and is left out, as in `countOnce`.
 */
export function namedRecords<Item extends UsageRecord>(records: readonly Item[]): NamedRecord<Item>[] {
  const named: NamedRecord<Item>[] = [];
  for (const [index, record] of records.entries()) {
    const id = record.key ?? `${record.agent} ${record.sessionId} #${index}`;
    if (record.key !== null || !record.isReplay) named.push({ record, id, isCopy: record.isReplay });
  }
  return named;
}

/** Attribution by record index, for formats whose turns list the indexes of their records. */
export function attributedByIndex(
  session: AgentSession,
  named: readonly NamedRecord[] = namedRecords(session.records),
): AttributedSession {
  const { records } = session;
  const ids = new Map(named.flatMap(({ record, id, isCopy }) => (isCopy ? [] : [[record, id]])));
  const attribution: Attribution = {
    responsesOf: ({ records: indexes }) =>
      indexes.flatMap((index) => records[index] ?? []).filter((record) => ids.has(record)),
    messageOf({ record: index }) {
      const record = records[index ?? -1];
      return record === undefined ? null : (ids.get(record) ?? null);
    },
  };
  return { session, records: named, attribution };
}
