import type { UsageRecord } from "../../usage/agent-record.ts";
import type { AgentCall, AgentTurn } from "../agent-activity.ts";
import type { AgentSession } from "../agent-session.ts";

/** A record, and the id all copies of it share. */
export interface NamedRecord<Item extends UsageRecord = UsageRecord> {
  readonly record: Item;
  readonly id: string;
  /** A copy of what another session used. */
  readonly isCopy: boolean;
  /** The subagent inside its session that made it. */
  readonly agentId?: string | null;
}

/** Assigns a session's responses to its turns and calls, once its own ones are known. */
export interface Attribution {
  /** The session's own responses of a turn. */
  readonly responsesOf: (turn: AgentTurn, place: number) => readonly UsageRecord[];
  /** The id of the response that made a call; null where nobody can tell. */
  readonly messageOf: (call: AgentCall) => string | null;
}

/** A session whose records have ids, and whose turns and calls know their responses. */
export interface AttributedSession {
  readonly session: Pick<AgentSession, "facts" | "activity">;
  readonly records: readonly NamedRecord[];
  readonly attribution: Attribution;
}

/**
 * The records by their keys. One without a key is known by its place in its session; a copy without one is a copy of
 * something nobody knows, and left out, as `countOnce` leaves it out.
 */
export function namedRecords<Item extends UsageRecord>(records: readonly Item[]): NamedRecord<Item>[] {
  const named: NamedRecord<Item>[] = [];
  for (const [place, record] of records.entries()) {
    const id = record.key ?? `${record.agent} ${record.sessionId} #${place}`;
    if (record.key !== null || !record.isReplay) named.push({ record, id, isCopy: record.isReplay });
  }
  return named;
}

/** Attributes a session whose turns and calls name their records by place. */
export function attributedByPlace(
  session: AgentSession,
  named: readonly NamedRecord[] = namedRecords(session.records),
): AttributedSession {
  const { records } = session;
  const ids = new Map(named.flatMap(({ record, id, isCopy }) => (isCopy ? [] : [[record, id]])));
  const attribution: Attribution = {
    responsesOf: ({ records: places }) =>
      places.flatMap((place) => records[place] ?? []).filter((record) => ids.has(record)),
    messageOf({ record: place }) {
      const record = records[place ?? -1];
      return record === undefined ? null : (ids.get(record) ?? null);
    },
  };
  return { session, records: named, attribution };
}
